// A plain table with a caption for screen readers, which scrolls by itself on a narrow screen.
import type { ComponentChildren } from "preact";

interface Column<T> {
  title: string;
  cell: (row: T) => ComponentChildren;
  /** Numbers stand to the right. */
  number?: boolean;
}

interface Props<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
}

export function Table<T>({ caption, columns, rows, keyOf }: Props<T>) {
  return (
    <div class="wide" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption class="hidden-visually">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, number }) => (
              <th key={title} scope="col" class={number ? "number" : ""}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, number }) => (
                <td key={title} class={number ? "number" : ""}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
