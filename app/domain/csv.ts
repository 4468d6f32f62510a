/**
 * CSV as in RFC 4180. Text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe, to prevent CSV
 * injection: at the beginning of a cell, and after a semicolon or tab. In many countries these separate the cells, and quotes
 * do not prevent it there. Spreadsheets for Japanese and Chinese take full-width signs as well.
 */
export type Cell = string | number | boolean | null;

export const csv = (header: string[], rows: Cell[][]): string => csvLines([header, ...rows]);

/** Some lines of a file that is streamed. */
export const csvLines = (rows: Cell[][]): string => rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

const cell = (value: Cell): string => {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const escaped = beginsFormula.test(value) ? `'${value}` : value;
  if (!/[",;\t\r\n]/.test(value)) return escaped;
  return `"${escaped.replace(formulaAfterSeparator, "$1'").replaceAll('"', '""')}"`;
};

const beginsFormula = /^ *[=+\-@＝＋－＠\t\r\n]/;
const formulaAfterSeparator = /([;\t] *)(?=[=+\-@＝＋－＠])/g;
