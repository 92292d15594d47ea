// Makes functions/web/assets from src: what the web door serves. `--check` only says whether the committed copy is what the sources make.
import { build } from "esbuild";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const ASSETS = join(HERE, "..", "functions", "web", "assets");

const made = await make();
if (process.argv.includes("--check")) {
  const stale = differences(made);
  if (stale.length > 0) {
    console.error(`functions/web/assets is not what web/src makes (${stale.join(", ")}). Run: make web`);
    process.exit(1);
  }
} else {
  rmSync(ASSETS, { recursive: true, force: true });
  mkdirSync(ASSETS, { recursive: true });
  for (const [name, bytes] of made) writeFileSync(join(ASSETS, name), bytes);
}

// The name of a file holds the hash of what is in it, so a browser may keep it for good; only index.html is asked for anew.
async function make() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: HERE,
    preserveSymlinks: true, // names hold a hash of paths, too: node_modules may be a link
    entryPoints: ["src/main.tsx"],
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    minify: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    entryNames: "app-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    legalComments: "none", // licenses.txt has them whole
    outdir: ASSETS,
    metafile: true,
    write: false,
  });
  const files = new Map(outputFiles.map((file) => [basename(file.path), Buffer.from(file.contents)]));
  files.set("index.html", Buffer.from(page([...files.keys()])));
  files.set("licenses.txt", Buffer.from(licenses(Object.keys(metafile.inputs))));
  return files;
}

function page(names) {
  const entry = (end) => names.find((name) => name.startsWith("app-") && name.endsWith(end));
  return readFileSync(join(HERE, "index.html"), "utf8").replace("app.js", entry(".js")).replace("app.css", entry(".css"));
}

function licenses(inputs) {
  const packages = new Set(inputs.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]).filter(Boolean));
  return [...packages].sort().map(license).join("\n\n");
}

function license(name) {
  const folder = join(HERE, "node_modules", name);
  const { version, license: kind } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name} ${version} (${kind})\n\n${file ? readFileSync(join(folder, file), "utf8").trim() : ""}\n`;
}

function differences(files) {
  const kept = existsSync(ASSETS) ? readdirSync(ASSETS) : [];
  const changed = [...files].filter(([name, bytes]) => !kept.includes(name) || !readFileSync(join(ASSETS, name)).equals(bytes));
  return [...changed.map(([name]) => name), ...kept.filter((name) => !files.has(name))];
}
