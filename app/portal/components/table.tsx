// biome-ignore-all lint/a11y/noRedundantRoles: displayed as blocks on a phone, the elements would lose their roles
import type { Key, ReactNode } from "react";
import { formatNumber } from "../format.ts";

export type Column<Row> = {
  key: string;
  header: string;
  /** In place of the header where that is shown above the column: a term with its meaning. */
  heading?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** For numbers, so that their digits line up. */
  align?: "end";
  /** The row's header, and the title of its card on a phone. Set it on one column. */
  primary?: boolean;
  /** Hidden on a phone. */
  desktopOnly?: boolean;
  /** Shows the header to screen readers only, for a column of buttons. */
  quietHeader?: boolean;
};

type Props<Row> = {
  /** What the table lists. For screen readers only. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => Key;
  /** Shown in place of the table if there are no rows. */
  empty?: ReactNode;
  /** For few short columns: a phone keeps them side by side instead of turning each row into a card. */
  narrow?: boolean;
  /** How many rows to show at first, and what they are: "waypoints". A button shows the rest. */
  first?: { rows: number; noun: string };
};

/**
 * Place it in a `Card flush`. On a phone each row becomes a card, unless the table is `narrow`. The scrolling box is
 * `relative`, because text for screen readers is positioned absolutely and would otherwise widen the page.
 */
export function Table<Row>({ caption, columns, rows, rowKey, empty, narrow = false, first }: Props<Row>) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  // A button that hides only a row or two is not worth it.
  const shown = first && rows.length > first.rows + 2 ? first.rows : rows.length;
  return (
    <div className="shortened">
      <div className="relative overflow-x-auto">
        <table className={`w-full text-sm ${narrow ? "narrow-table" : "stacked-table"}`} role="table">
          <caption className="sr-only">{caption}</caption>
          <thead className="bg-canvas text-left text-[0.8125rem] text-muted" role="rowgroup">
            <tr role="row">
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  role="columnheader"
                  className={`border-b border-line font-medium sm:px-3 sm:py-2.5 sm:whitespace-nowrap sm:first:pl-5 sm:last:pr-5 ${column.align === "end" ? "text-right" : ""} ${column.desktopOnly ? "desktop-only" : ""}`}
                >
                  {column.quietHeader ? (
                    <span className="sr-only">{column.header}</span>
                  ) : (
                    (column.heading ?? column.header)
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line" role="rowgroup">
            {rows.map((row, i) => (
              <tr
                key={rowKey(row)}
                role="row"
                className={`transition-colors hover:bg-canvas ${i < shown ? "" : "further"}`}
              >
                {columns.map((column) => (
                  <Cell key={column.key} column={column}>
                    {column.cell(row)}
                  </Cell>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {first && shown < rows.length ? (
        <details className="more no-print group border-line border-t">
          <summary className="flex min-h-11 items-center px-5 font-medium text-accent text-sm hover:underline focus-visible:-outline-offset-2">
            <span className="group-open:hidden">
              Show all {formatNumber(rows.length)} {first.noun}
            </span>
            <span className="hidden group-open:inline">Show fewer {first.noun}</span>
          </summary>
        </details>
      ) : null}
    </div>
  );
}

const Cell = ({
  column,
  children,
}: {
  column: Pick<Column<never>, "header" | "align" | "primary" | "quietHeader" | "desktopOnly">;
  children: ReactNode;
}) => {
  const look = `leading-5 sm:align-middle sm:px-3 sm:py-3 sm:first:pl-5 sm:last:pr-5 ${column.align === "end" ? "text-right tabular-nums" : ""} ${column.desktopOnly ? "desktop-only" : ""}`;
  const label = column.quietHeader ? "" : column.header;
  return column.primary ? (
    <th
      scope="row"
      role="rowheader"
      data-label={label}
      data-primary=""
      className={`${look} text-left font-medium text-ink`}
    >
      {children}
    </th>
  ) : (
    <td role="cell" data-label={label} className={`${look} text-ink`}>
      {children}
    </td>
  );
};
