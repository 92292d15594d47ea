// Pages of a list that grows at its top. Pure. A page begins where the one before ended, told by time: the thousandth is found as quickly as the first.

/** Runs that began at `before` or earlier, without the first `skip` of them: those of that millisecond that were seen. */
export interface Cursor {
  readonly before: number;
  readonly skip: number;
}

export const SIZE = 25;
/** No address grows without end. */
const MOST = 200;

/** What leads to the page behind one whose rows began at these moments, newest first. */
export function following(pages: readonly Cursor[], begun: readonly number[]): readonly Cursor[] | null {
  const before = begun.at(-1);
  if (before === undefined || begun.length < SIZE || pages.length >= MOST) return null;
  const same = begun.filter((time) => time === before).length;
  const current = pages.at(-1);
  const skip = current && same === begun.length && current.before === before ? current.skip + same : same;
  return [...pages, { before, skip }];
}

/** `1796003503429.1-1796003500000.3`. */
export function textOf(pages: readonly Cursor[]): string {
  return pages.map(({ before, skip }) => `${before}.${skip}`).join("-");
}

/** Nothing when any of it cannot be read. */
export function cursorsFrom(text: string): readonly Cursor[] {
  if (!/^\d{1,15}\.\d{1,5}(-\d{1,15}\.\d{1,5})*$/.test(text)) return [];
  const found = text.split("-").map((one) => {
    const [before, skip] = one.split(".").map(Number);
    return { before: before!, skip: skip! };
  });
  return found.slice(0, MOST);
}
