/** Comma-separated text (RFC 4180) as rows by column name, each with the line it begins on. */
export type CsvRow = { line: number; cells: Record<string, string> };

export type CsvLine = { line: number; cells: string[] };

/** The first line names the columns. Missing cells at a line's end are empty; blank lines are skipped. */
export const csvRows = (text: string): CsvRow[] => {
  const [header, ...lines] = csvLines(text.replace(/^\uFEFF/, ""));
  const columns = header?.cells.map((column) => column.trim()) ?? [];
  return lines.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(columns.map((column, i) => [column, cells[i]?.trim() ?? ""])),
  }));
};

/** What stands in the way of reading on. */
export class CsvTrouble extends SyntaxError {
  readonly line: number;
  constructor(line: number) {
    super(`Line ${line}: a quote is not closed, or text follows it`);
    this.line = line;
  }
}

/**
 * The lines that are not blank, read one after the other.
 *
 * @param separator one character between cells
 * @throws CsvTrouble
 */
export function* csvLines(text: string, separator = ","): Generator<CsvLine> {
  const pattern = cellPattern(separator);
  let current: CsvLine = { line: 1, cells: [] };
  let line = 1;
  while (pattern.lastIndex < text.length) {
    const cell = pattern.exec(text);
    if (cell === null) throw new CsvTrouble(line);
    current.cells.push(cell[1]?.replaceAll('""', '"') ?? cell[2] ?? "");
    line += lineEndsIn(cell[0]);
    if (cell[3] === separator) continue;
    if (current.cells.some((each) => each !== "")) yield current;
    current = { line, cells: [] };
  }
  // After a separator at the very end there is one more cell, an empty one.
  if (current.cells.length > 0) current.cells.push("");
  if (current.cells.some((each) => each !== "")) yield current;
}

/** One cell and what ends it: quoted (with doubled quotes inside) or plain. */
const cellPattern = (separator: string): RegExp => {
  const mark = separator === "\t" ? "\\t" : separator;
  return new RegExp(`(?:"((?:[^"]|"")*)"|([^"${mark}\\r\\n][^${mark}\\r\\n]*|))(${mark}|\\r?\\n|$)`, "y");
};

const lineEndsIn = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
};
