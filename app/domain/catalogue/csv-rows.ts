/** Comma-separated text (RFC 4180) as rows by column name, each with the line it begins on. */
export type CsvRow = { line: number; cells: Record<string, string> };

/** The first line names the columns. Missing cells at a line's end are empty; blank lines are skipped. */
export const csvRows = (text: string): CsvRow[] => {
  const [header, ...lines] = csvLines(text.replace(/^\uFEFF/, ""));
  const columns = header?.cells.map((column) => column.trim()) ?? [];
  return lines
    .filter(({ cells }) => cells.some((cell) => cell !== ""))
    .map(({ line, cells }) => ({
      line,
      cells: Object.fromEntries(columns.map((column, i) => [column, cells[i]?.trim() ?? ""])),
    }));
};

/** One cell and what ends it: quoted (with doubled quotes inside) or plain. */
const cellPattern = /(?:"((?:[^"]|"")*)"|([^",\r\n][^,\r\n]*|))(,|\r?\n|$)/y;

const csvLines = (text: string): { line: number; cells: string[] }[] => {
  const lines: { line: number; cells: string[] }[] = [];
  let current = { line: 1, cells: [] as string[] };
  let line = 1;
  cellPattern.lastIndex = 0;
  while (cellPattern.lastIndex < text.length) {
    const cell = cellPattern.exec(text);
    if (cell === null) throw new SyntaxError(`Line ${line}: a quote is not closed, or text follows it`);
    current.cells.push(cell[1]?.replaceAll('""', '"') ?? cell[2] ?? "");
    line += cell[0].split("\n").length - 1;
    if (cell[3] === ",") continue;
    lines.push(current);
    current = { line, cells: [] };
  }
  if (current.cells.length > 0) lines.push(current);
  return lines;
};
