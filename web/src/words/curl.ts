// The request of a task as a command for a shell, with whatever may be a secret taken out. Pure.
import type { Json, JsonObject, Task } from "../conductor/types.ts";
import { isObject, requestOf } from "./request.ts";

const REDACTED = "REDACTED";
// Names that tell of a credential: of a header, of a parameter in an address, of a field in a body.
const SECRET_NAME = /auth|cookie|token|secret|passw|pwd|credential|signature|^sig$|api.?key|access.?key|private.?key|subscription.?key|^key$|^code$|session/i;
const SECRET_REFERENCE = /\$+\{\s*workflow\.(secrets|env)\b[^}]*\}?/g;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const METHOD = /^[A-Z]{1,20}$/;
// What no terminal should be handed raw: a pasted line break could end the command, an escape could do worse.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const EACH_CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The command on several lines, or undefined when the task makes no request that curl could make. */
export function curl(task: Pick<Task, "inputData">): string | undefined {
  const request = requestOf(task);
  const uri = request?.["uri"];
  if (!request || typeof uri !== "string" || !/^https?:\/\//i.test(uri)) return undefined;
  const method = String(request["method"] ?? "GET").toUpperCase();
  const parts = [
    method === "HEAD" ? "--head" : METHOD.test(method) && method !== "GET" ? `--request ${method}` : "",
    `--globoff --url ${quoted(redactedAddress(uri))}`,
    ...headers(request).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...body(request["body"]),
    ...timeouts(request),
  ];
  return ["curl", ...parts.filter(Boolean)].join(" \\\n  ");
}

/** As one word for bash and zsh, whatever stands in it. */
export function quoted(text: string): string {
  const words = text.replaceAll("\u0000", "");
  if (!CONTROL.test(words)) return `'${words.replaceAll("'", "'\\''")}'`;
  return `$'${words.replace(/[\\']/g, "\\$&").replace(EACH_CONTROL, escaped)}'`;
}

function escaped(mark: string): string {
  const code = mark.charCodeAt(0);
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** The address without user, password, parameters that tell of a credential, and references to secrets. */
export function redactedAddress(uri: string): string {
  return withoutReferences(uri)
    .replace(/^(https?:\/\/)[^/?#]*@/i, `$1${REDACTED}@`)
    .replace(/([?&;#])([^=&;#]*)=([^&;#]*)/g, (whole, mark: string, name: string) => (isSecretName(decoded(name)) ? `${mark}${name}=${REDACTED}` : whole));
}

function headers(request: JsonObject): readonly (readonly [string, string])[] {
  const given = isObject(request["headers"]) ? request["headers"] : {};
  const shown = Object.entries(given).flatMap(([name, value]): [string, string][] =>
    value === null || !HEADER_NAME.test(name) ? [] : [[name, isSecretName(name) ? REDACTED : withoutReferences(text(value))]],
  );
  const has = (name: string) => shown.some(([known]) => known.toLowerCase() === name);
  const accept: [string, string][] = has("accept") ? [] : [["Accept", withoutReferences(text(request["accept"] ?? "application/json"))]];
  const content: [string, string][] = has("content-type") || request["body"] === undefined ? [] : [["Content-Type", withoutReferences(text(request["contentType"] ?? "application/json"))]];
  return [...shown, ...accept, ...content];
}

function body(value: Json | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  // --data-raw: an @ at its beginning is data too, not the name of a file
  return [`--data-raw ${quoted(typeof value === "string" ? redactedText(value) : JSON.stringify(redacted(value)))}`];
}

/** JSON in a text, and a form, are looked through too. */
function redactedText(value: string): string {
  try {
    const parsed = JSON.parse(value) as Json;
    if (typeof parsed === "object") return JSON.stringify(redacted(parsed));
  } catch {
    // no JSON: a form, or any text
  }
  return withoutReferences(value).replace(/(^|&)([^=&\s]+)=([^&]*)/g, (whole, mark: string, name: string) => (isSecretName(decoded(name)) ? `${mark}${name}=${REDACTED}` : whole));
}

function redacted(value: Json): Json {
  if (typeof value === "string") return withoutReferences(value);
  if (Array.isArray(value)) return value.map((each: Json) => redacted(each));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, isSecretName(name) && each !== null ? REDACTED : redacted(each)]));
}

function timeouts(request: JsonObject): readonly string[] {
  const connect = seconds(request["connectionTimeOut"] ?? request["connectionTimeout"]);
  const read = seconds(request["readTimeOut"] ?? request["readTimeout"]);
  return [[connect && `--connect-timeout ${connect}`, read && `--max-time ${Number(((connect || 3) + read).toFixed(3))}`].filter(Boolean).join(" ")];
}

function seconds(milliseconds: Json | undefined): number {
  const found = Number(milliseconds ?? 0) / 1000;
  return Number.isFinite(found) && found > 0 ? found : 0;
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

function withoutReferences(value: string): string {
  return value.replace(SECRET_REFERENCE, REDACTED);
}

function text(value: Json): string {
  return Array.isArray(value) ? value.map(String).join(", ") : typeof value === "object" ? JSON.stringify(value) : String(value);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
