// Text from the outside made fit to stand inside a sentence of ours. Pure.

// Line breaks, control characters, and the marks that turn the direction of writing: they would let a name rewrite the words around it.
const UNFIT = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/g;

/** One line, of `most` characters at most. */
export function plain(text: string, most = 60): string {
  const line = text.replace(UNFIT, " ").replace(/\s+/g, " ").trim();
  const letters = [...line];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : line;
}

/** `a`, `a and b`, `a, b and c`, `a, b and 7 more`: names, each fit for a sentence. */
export function listed(names: readonly string[], most = 3): string {
  const shown = names.length > most ? [...names.slice(0, most - 1).map((name) => plain(name)), `${names.length - most + 1} more`] : names.map((name) => plain(name));
  return shown.length < 2 ? (shown[0] ?? "") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

/** With a capital at its beginning and one full stop at its end. */
export function closed(words: string): string {
  const ended = /[.!?…]$/.test(words) ? words : `${words}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}
