// Runs tests/*.test.ts under Node's test runner: each is bundled first, because Node 20 reads no TypeScript.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const TESTS = join(HERE, "tests");
const out = mkdtempSync(join(tmpdir(), "fermata-web-"));
try {
  await build({
    entryPoints: readdirSync(TESTS).filter((name) => name.endsWith(".test.ts")).map((name) => join(TESTS, name)),
    bundle: true,
    platform: "node",
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    outdir: out,
    outExtension: { ".js": ".mjs" },
    logLevel: "warning",
  });
  const files = readdirSync(out).map((name) => join(out, name));
  process.exitCode = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
