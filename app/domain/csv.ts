/**
 * Comma-separated values after RFC 4180. A cell that a spreadsheet would run as a formula begins with an apostrophe.
 */
export type Cell = string | number | boolean | null;

export const csv = (header: string[], rows: Cell[][]): string => csvLines([header, ...rows]);

/** A part of a file that is written bit by bit. */
export const csvLines = (rows: Cell[][]): string => rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

const cell = (value: Cell): string => {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};
