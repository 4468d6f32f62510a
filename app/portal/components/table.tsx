// biome-ignore-all lint/a11y/noRedundantRoles: stacked as blocks on a phone, the elements would lose their own roles
import type { Key, ReactNode } from "react";

export type Column<Row> = {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the end, so that their digits line up. */
  align?: "end";
  /** What the row is about: its header, and the title of its card on a phone. Give one column this. */
  primary?: boolean;
  /** Left out on a phone, where there is room for what matters only. */
  desktopOnly?: boolean;
  /** The header is for screen readers only: a column of buttons. */
  quietHeader?: boolean;
};

type Props<Row> = {
  /** What the table lists; read out, not shown. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => Key;
  /** In place of rows when there are none. */
  empty?: ReactNode;
};

/** Place it in a `Card flush`. On a phone each row becomes a card. */
export function Table<Row>({ caption, columns, rows, rowKey, empty }: Props<Row>) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <div className="overflow-x-auto">
      <table className="stacked-table w-full text-sm" role="table">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-canvas text-left text-[0.8125rem] text-muted" role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                role="columnheader"
                className={`border-b border-line px-3 py-2.5 font-medium whitespace-nowrap first:pl-5 last:pr-5 ${column.align === "end" ? "text-right" : ""}`}
              >
                {column.quietHeader ? <span className="sr-only">{column.header}</span> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line" role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row" className="transition-colors hover:bg-canvas">
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
  );
}

const Cell = ({
  column,
  children,
}: {
  column: Pick<Column<never>, "header" | "align" | "primary" | "quietHeader" | "desktopOnly">;
  children: ReactNode;
}) => {
  const look = `align-middle leading-5 sm:px-3 sm:py-3 sm:first:pl-5 sm:last:pr-5 ${column.align === "end" ? "text-right tabular-nums" : ""} ${column.desktopOnly ? "desktop-only" : ""}`;
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
