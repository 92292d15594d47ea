// JSON that somebody wrote, read without a loss. Pure.
import type { Json } from "../conductor/types.ts";

/** A whole number that would come out as another one. The message is fit for a person. */
export class Inexact extends Error {}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** Throws `SyntaxError` for what is no JSON, `Inexact` for what would be changed on its way. */
export function exactly(text: string): Json {
  const value = JSON.parse(text) as Json;
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^-?\d{16,}$/.test(token) && !kept(token)) throw new Inexact(`${token} has more digits than a browser keeps. Put it in quotes, or send it with the command line.`);
  }
  return value;
}

function kept(digits: string): boolean {
  const number = Number(digits);
  return Number.isFinite(number) && BigInt(digits) === BigInt(number);
}
