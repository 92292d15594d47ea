// The way back through the pages of a list that grows at its top: the server's cursors that led there, oldest last. Pure.

export const SIZE = 25;
/** No address grows without end: from further back than this, the way to the newest is shorter. */
const MOST = 25;

/** A cursor is the server's word: letters, digits and dashes, kept as it is. */
const CURSOR = /^[\w-]{1,300}$/;

/** What leads to the page behind this one. */
export function following(pages: readonly string[], cursor: string): readonly string[] {
  return [...pages, cursor].slice(-MOST);
}

export function textOf(pages: readonly string[]): string {
  return pages.join(".");
}

/** Nothing when any of it cannot be read. */
export function cursorsFrom(text: string): readonly string[] {
  const found = text.split(".");
  return found.every((one) => CURSOR.test(one)) ? found.slice(-MOST) : [];
}

/** Where a page is, in words; the first tells the number of all. */
export function pageWords(pages: readonly string[], all: string): string {
  if (pages.length === 0) return all;
  return pages.length < MOST ? `page ${pages.length + 1}` : "far back";
}
