// One request to this server's REST API: JSON in, JSON out, errors as values that say what to do. Knows no page.
import { signal } from "@preact/signals";

// Only what came from `/api/token`; the key's secret is never kept. A tab's own: another tab signs in for itself.
const TOKEN = "fermata.token";

/** Of what changes something: it may have been done, and nobody does it again. */
const UNHEARD = "The server cannot be reached, and this is not tried again by itself. Look whether it was done.";

/** The server's clock minus this browser's, in milliseconds, by the last answer's Date: countdowns live by the server's time. */
export const clockOffset = signal(0);

/** The token that goes with every request, if the server asks for one. */
export const token = signal<string | null>(sessionStorage.getItem(TOKEN));

/** An answer of 400 or above, or none at all (status 0). `message` is fit for a person. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly body: unknown = null,
  ) {
    super(message);
  }
}

export interface Ask {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Sent as JSON. */
  body?: unknown;
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  signal?: AbortSignal;
  /** The ETag of what is known: when nothing moved, `value` of the answer is null. */
  known?: string | undefined;
}

export interface Answer<T> {
  /** null: not modified (only when `known` was given). */
  value: T | null;
  etag: string | undefined;
  headers: Headers;
}

export function keepToken(value: string | null): void {
  token.value = value;
  if (value) sessionStorage.setItem(TOKEN, value);
  else sessionStorage.removeItem(TOKEN);
}

/** Return the parsed body (text when it is not JSON, undefined when empty). Throws `Refused`. */
export async function ask<T>(path: string, options: Ask = {}): Promise<T> {
  return (await fetched(path, options)).value as T;
}

/** As `ask`, for what is looked at again and again: with `known`, an answer of 304 costs the server one row. */
export async function fetched<T>(path: string, options: Ask = {}): Promise<Answer<T>> {
  const response = await send(path, options);
  const { headers } = response;
  if (response.status === 304) return { value: null, etag: options.known, headers };
  const body = await read(response);
  if (!response.ok) throw refusal(response.status, body);
  return { value: body as T, etag: headers.get("etag") ?? undefined, headers };
}

async function send(path: string, options: Ask): Promise<Response> {
  const headers: Record<string, string> = { accept: "application/json, text/plain;q=0.9" };
  if (options.body !== undefined) headers["content-type"] = "application/json";
  if (token.value) headers["x-authorization"] = token.value;
  if (options.known) headers["if-none-match"] = options.known;
  try {
    const response = await fetch(path + queryString(options.query), {
      method: options.method ?? "GET",
      headers,
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ?? null,
      cache: "no-store", // what is kept between two looks is kept here, with its ETag
      credentials: "same-origin",
    });
    noteClock(response);
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused(0, options.method && options.method !== "GET" ? UNHEARD : "The server cannot be reached. It is tried again by itself.");
  }
}

function noteClock(response: Response): void {
  const date = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(date)) return;
  const offset = date + 500 - Date.now(); // the header counts whole seconds
  if (Math.abs(offset - clockOffset.value) > 1500) clockOffset.value = offset;
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!text) return undefined;
  if (!(response.headers.get("content-type") ?? "").includes("json")) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(response.status, "The server's answer cannot be read.");
  }
}

function refusal(status: number, body: unknown): Refused {
  const said = body && typeof body === "object" && "message" in body ? String(body.message) : typeof body === "string" ? body : "";
  return new Refused(status, said || `The server answered ${status}.`, body);
}

export function queryString(query: Ask["query"]): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  );
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
}
