/** Parses CSV (RFC 4180) into rows by column name, each with the number of its first line. */
export type CsvRow = { line: number; cells: Record<string, string> };

export type CsvLine = { line: number; cells: string[] };

/**
 * The first line names the columns. Missing cells at the end of a line are empty, blank lines are skipped.
 *
 * @throws SyntaxError
 */
export const csvRows = (text: string): CsvRow[] => {
  const splitter = new CsvSplitter();
  const [header, ...lines] = [...splitter.push(text.replace(/^\uFEFF/, "")), ...splitter.end()];
  if (splitter.brokenLine !== null) {
    throw new SyntaxError(`Line ${splitter.brokenLine}: a quote is not closed, or text follows it`);
  }
  const columns = header?.cells.map((column) => column.trim()) ?? [];
  return lines.map(({ line, cells }) => ({
    line,
    cells: Object.fromEntries(columns.map((column, i) => [column, cells[i]?.trim() ?? ""])),
  }));
};

/**
 * Splits CSV that arrives in pieces into lines of cells. Blank lines are left out. Keeps the text of an unfinished line.
 *
 * After a syntax error (a quote that is not closed, or followed by text) nothing more is read.
 */
export class CsvSplitter {
  readonly #separator: string;
  readonly #pattern: RegExp;
  #rest = "";
  #line = 1;
  /** The line of the syntax error. */
  brokenLine: number | null = null;

  /** @param separator a single character */
  constructor(separator = ",") {
    this.#separator = separator;
    this.#pattern = cellPattern(separator);
  }

  push(text: string): CsvLine[] {
    return this.#read(this.#rest + text, false);
  }

  end(): CsvLine[] {
    return this.#read(this.#rest, true);
  }

  #read(text: string, isEnd: boolean): CsvLine[] {
    const lines: CsvLine[] = [];
    let from = 0;
    while (from < text.length && this.brokenLine === null) {
      const next = this.#plainLine(text, from) ?? this.#quotedLine(text, from, isEnd);
      if (next === null) break;
      if (next.cells.some((cell) => cell !== "")) lines.push({ line: this.#line, cells: next.cells });
      this.#line += next.lineEnds;
      from = next.end;
    }
    this.#rest = this.brokenLine === null ? text.slice(from) : "";
    if (this.#rest.length > longestRecord) this.#break(this.#line);
    return lines;
  }

  /** A line without quotes. Null: there is a quote, or no line end. */
  #plainLine(text: string, from: number): ReadLine | null {
    const end = text.indexOf("\n", from);
    if (end === -1) return null;
    const line = text.slice(from, text[end - 1] === "\r" ? Math.max(end - 1, from) : end);
    if (line.includes('"') || line.includes("\r")) return null;
    return { cells: line.split(this.#separator), end: end + 1, lineEnds: 1 };
  }

  /** Null: the line is unfinished, or broken. */
  #quotedLine(text: string, from: number, isEnd: boolean): ReadLine | null {
    this.#pattern.lastIndex = from;
    const cells: string[] = [];
    let lineEnds = 0;
    for (;;) {
      const cell = this.#pattern.exec(text);
      // A quote that is not closed yet may be closed by the text to come.
      if (cell === null || (cell[3] === "" && !isEnd)) {
        if (isEnd) this.#break(this.#line + lineEnds);
        return null;
      }
      cells.push(cell[1]?.replaceAll('""', '"') ?? cell[2] ?? "");
      lineEnds += lineEndsIn(cell[0]);
      if (cell[3] !== this.#separator) return { cells, end: this.#pattern.lastIndex, lineEnds };
      if (this.#pattern.lastIndex < text.length) continue;
      if (!isEnd) return null;
      // A trailing separator is followed by one more, empty cell.
      return { cells: [...cells, ""], end: text.length, lineEnds };
    }
  }

  #break(line: number): void {
    this.brokenLine = line;
    this.#rest = "";
  }
}

type ReadLine = { cells: string[]; end: number; lineEnds: number };

/** In characters. A quote that is not closed would otherwise swallow the rest of the file. */
const longestRecord = 1024 * 1024;
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
