import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import type { JsonObject } from "../src/conductor/types.ts";
import { curl, quoted, redactedAddress } from "../src/words/curl.ts";

const URI = "https://exports.example/jobs/71c2";

function command(request: JsonObject): string {
  return curl({ inputData: { http_request: { uri: URI, ...request } } }) ?? "";
}

test("a poll becomes a command that makes the same request", () => {
  const request = { method: "get", headers: { "X-Tenant": "acme", "X-List": ["a", "b"], "X-None": null }, connectionTimeOut: 10_000, readTimeOut: 30_000 };
  assert.equal(
    command(request),
    [
      "curl",
      "--globoff --url 'https://exports.example/jobs/71c2'",
      "--header 'X-Tenant: acme'",
      "--header 'X-List: a, b'",
      "--header 'Accept: application/json'",
      "--connect-timeout 10 --max-time 40",
    ].join(" \\\n  "),
  );
});

test("a body goes as it is sent", () => {
  assert.ok(command({ method: "POST", body: { dataset: "o'hara" } }).includes(`--request POST \\\n  --globoff`));
  assert.ok(command({ method: "POST", body: { dataset: "o'hara" } }).includes(`--header 'Content-Type: application/json' \\\n  --data-raw '{"dataset":"o'\\''hara"}'`));
  assert.ok(command({ method: "POST", body: "@/etc/passwd", contentType: "text/plain" }).includes("--header 'Content-Type: text/plain' \\\n  --data-raw '@/etc/passwd'"));
  assert.ok(!command({ body: null }).includes("--data"));
  assert.ok(command({ method: "HEAD" }).includes("--head"));
});

test("fields may stand directly in the input; what makes no request has no command", () => {
  assert.ok(curl({ inputData: { uri: URI, method: "PUT" } })?.includes("--request PUT"));
  for (const inputData of [undefined, {}, { http_request: null }, { uri: 7 }, { uri: "ftp://x/" }, { uri: "javascript:alert(1)" }, { uri: "-o /etc/passwd" }, { uri: "${workflow.input.uri}" }])
    assert.equal(curl(inputData === undefined ? {} : { inputData }), undefined);
});

const SECRET = "s3cr3t";
const CREDENTIALS: readonly JsonObject[] = [
  ...["Authorization", "authorization", "Proxy-Authorization", "X-Authorization", "Cookie", "X-Api-Key", "apikey", "Api_Key", "X-Auth-Token", "X-Amz-Security-Token", "Ocp-Apim-Subscription-Key"].map((name) => ({
    headers: { [name]: SECRET },
  })),
  ...["token", "access_token", "api_key", "apiKey", "X-Amz-Signature", "sig", "password", "client_secret", "to%6Ben", "key", "code"].map((name) => ({ uri: `${URI}?a=1&${name}=${SECRET}&b=2` })),
  { uri: `https://user:${SECRET}@exports.example/` },
  { uri: `https://user:p@ss${SECRET}@exports.example/` },
  { uri: `${URI}#access_token=${SECRET}` },
  { body: { password: SECRET } },
  { body: { deep: [{ apiKey: { id: SECRET } }] } },
  { body: `{"clientSecret": "${SECRET}"}` },
  { body: `grant_type=x&client_secret=${SECRET}` },
];

test("credentials are taken out, wherever they stand", () => {
  for (const request of CREDENTIALS) {
    const made = command(request);
    assert.ok(!made.includes(SECRET) && made.includes("REDACTED"), `${JSON.stringify(request)}: ${made}`);
  }
});

test("references to secrets are taken out, also those that data disarmed or left open", () => {
  const reference = "${workflow.secrets.JOB_TOKEN}";
  for (const request of [
    { headers: { "X-Tenant": `a ${reference}` } },
    { headers: { "X-Tenant": `$${reference}` } },
    { headers: { "X-Tenant": "${workflow.secrets.JOB_TOKEN" } },
    { uri: `${URI}/${reference}` },
    { body: { a: [reference] } },
    { body: `plain ${reference}` },
    { accept: reference },
  ]) {
    const made = command(request);
    assert.ok(!made.includes("JOB_TOKEN") && made.includes("REDACTED"), made);
  }
});

test("what is no secret stays", () => {
  assert.equal(redactedAddress("https://x.example/jobs?page=2&q=a%20b#top"), "https://x.example/jobs?page=2&q=a%20b#top");
  assert.ok(command({ body: { dataset: "tokens of 2026", n: 1, none: null } }).includes('{"dataset":"tokens of 2026","n":1,"none":null}'));
});

const HOSTILE = ["", "'", "''", "a'b", "'; touch /tmp/owned; '", "$(id)", "`id`", "${HOME}", "a\\'b", "\\", '"', "!!", "line\nbreak", "\r\nid\r\n", "\u001b[31mred'\\", "\u202egnitirw", "~ * ? [a]", "--flag", "é✓𝄐", "\t'\n\\'"];

test("whatever a text holds, a shell reads it as one word that is that text", () => {
  for (const text of HOSTILE) {
    const printed = spawnSync("bash", ["-c", `printf '%s|' x ${quoted(text)} y`], { encoding: "utf8", env: { LC_ALL: "C.UTF-8", PATH: process.env["PATH"] ?? "" } });
    assert.equal(printed.stdout, `x|${text}|y|`, JSON.stringify(text));
  }
  assert.equal(quoted("a\u0000b"), "'ab'"); // no argument can hold it
});

test("no control character reaches a terminal, and no name of a header becomes an option", () => {
  const made = command({ uri: `${URI}?a=\n&b=\u001b[0m`, headers: { "@file": "x", "bad name": "x", "X-A": "1\r\nX-B: 2" }, method: "GET; id" });
  assert.ok(!/[\u0000-\u0009\u000b-\u001f]/.test(made));
  assert.ok(!made.includes("@file") && !made.includes("bad name") && !made.includes("; id"), made);
  assert.ok(made.includes("$'X-A: 1\\x0d\\x0aX-B: 2'"), made);
});
