/** Parses CSV (RFC 4180) into rows by column name, each with the number of its first line. */
export type CsvRow = { line: number; cells: Record<string, string> };

export type CsvLine = { line: number; cells: string[] };

/** The first line names the columns. Missing cells at the end of a line are empty, blank lines are skipped. */
export const csvRows = (text: string): CsvRow[] => {
  const [header, ...lines] = csvLines(text.replace(/^\uFEFF/, ""));
  const columns = header?.cells.map((column) => column.trim()) ?? [];
  return lines.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(columns.map((column, i) => [column, cells[i]?.trim() ?? ""])),
  }));
};

/** A syntax error that ends reading. */
export class CsvSyntaxError extends SyntaxError {
  readonly line: number;
  constructor(line: number) {
    super(`Line ${line}: a quote is not closed, or text follows it`);
    this.line = line;
  }
}

/**
 * Yields the lines that are not blank.
 *
 * @param separator a single character
 * @throws CsvSyntaxError
 */
export function* csvLines(text: string, separator = ","): Generator<CsvLine> {
  const pattern = cellPattern(separator);
  let current: CsvLine = { line: 1, cells: [] };
  let line = 1;
  while (pattern.lastIndex < text.length) {
    const cell = pattern.exec(text);
    if (cell === null) throw new CsvSyntaxError(line);
    current.cells.push(cell[1]?.replaceAll('""', '"') ?? cell[2] ?? "");
    line += lineEndsIn(cell[0]);
    if (cell[3] === separator) continue;
    if (current.cells.some((each) => each !== "")) yield current;
    current = { line, cells: [] };
  }
  // A trailing separator is followed by one more, empty cell.
  if (current.cells.length > 0) current.cells.push("");
  if (current.cells.some((each) => each !== "")) yield current;
}

/** One cell, quoted (with doubled quotes inside) or plain, and the character that ends it. */
const cellPattern = (separator: string): RegExp => {
  const mark = separator === "\t" ? "\\t" : separator;
  return new RegExp(`(?:"((?:[^"]|"")*)"|([^"${mark}\\r\\n][^${mark}\\r\\n]*|))(${mark}|\\r?\\n|$)`, "y");
};

const lineEndsIn = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
};
