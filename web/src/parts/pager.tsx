// Which part of a long list is seen, and the way to the others.
import { count } from "../words/sizes.ts";

interface Props {
  total: number;
  size: number;
  /** From 0. */
  page: number;
  onPage: (page: number) => void;
  /** What is counted: one, and many. */
  one: string;
  many?: string;
}

/** The page that is there: a list may have become shorter. */
export function pageOf<T>(rows: readonly T[], page: number, size: number): { rows: readonly T[]; page: number } {
  const known = Math.min(page, Math.max(0, Math.ceil(rows.length / size) - 1));
  return { rows: rows.slice(known * size, (known + 1) * size), page: known };
}

export function Pager({ total, size, page, onPage, one, many }: Props) {
  if (total <= size) return <p class="pager quiet">{count(total, one, many)}</p>;
  const last = Math.ceil(total / size) - 1;
  const first = page * size;
  return (
    <div class="pager">
      <button type="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <button type="button" disabled={page >= last} onClick={() => onPage(page + 1)}>
        Next
      </button>
      <span class="quiet" role="status">
        {`${(first + 1).toLocaleString("en-US")}–${Math.min(first + size, total).toLocaleString("en-US")} of ${count(total, one, many)}`}
      </span>
    </div>
  );
}
