/**
 * CSV as in RFC 4180. A cell that a spreadsheet would evaluate as a formula is prefixed with an apostrophe, to prevent CSV
 * injection.
 */
export type Cell = string | number | boolean | null;

export const csv = (header: string[], rows: Cell[][]): string => csvLines([header, ...rows]);

/** Some lines of a file that is streamed. */
export const csvLines = (rows: Cell[][]): string => rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

const cell = (value: Cell): string => {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const escaped = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped;
};
