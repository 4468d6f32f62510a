/** Reads imported files row by row. The messages tell the operator what to do. */
import { type CsvLine, CsvSplitter } from "../catalogue/csv-rows.ts";
import { invalid } from "../errors.ts";
import { unstorableIn } from "../input.ts";
import { counted } from "../wording.ts";
import { FileContent } from "./file-content.ts";
import type { Finding, FindingCode } from "./finding.ts";
import { allColumns, formats, type ImportKind, importKinds } from "./formats.ts";
import type { RowValues } from "./kind.ts";
import { refused, textBlocks, UnreadableLine } from "./text-blocks.ts";

export type FileFormat = { kind: ImportKind } & ({ syntax: "csv"; separator: string } | { syntax: "json_lines" });

/** A row, or what makes it unreadable. */
export type ReadRow = { row: number; values: RowValues } | { row: number; finding: Finding };

export type OpenFile = { format: FileFormat; content: FileContent };

/**
 * Reads the beginning of a file and determines its kind and syntax.
 *
 * @param chosen the kind that the operator has selected
 * @throws invalid `file` or `kind`
 */
export const openFile = async (chunks: AsyncIterable<Uint8Array>, chosen?: ImportKind): Promise<OpenFile> => {
  const content = new FileContent(chunks);
  const format = formatOf(await beginningOf(textBlocks(content.beginning())), chosen);
  return { format, content };
};

/** The first blocks, up to one that is not blank. */
const beginningOf = async (blocks: AsyncGenerator<string>): Promise<string> => {
  let start = "";
  try {
    // Not `for await`: leaving it would end the generator, and with it the file.
    for (let next = await blocks.next(); !next.done; next = await blocks.next()) {
      start += next.value;
      if (start.trim() !== "") return start;
      if (start.length > 100_000) break;
    }
  } catch (error) {
    throw error instanceof UnreadableLine ? refused(error.message) : error;
  }
  throw refused("The file is empty. Choose another file");
};

/** The rows below the header, in batches as they arrive. Ends after a row that makes the rest unreadable. */
export async function* readRows(format: FileFormat, content: AsyncIterable<Uint8Array>): AsyncGenerator<ReadRow[]> {
  const splitter =
    format.syntax === "csv"
      ? csvReader(format.separator)
      : jsonReader({ asCells: formats[format.kind].syntax === "csv" });
  try {
    for await (const text of textBlocks(content)) yield splitter.push(text);
  } catch (error) {
    if (!(error instanceof UnreadableLine)) throw error;
    yield [{ row: error.finding.row, finding: error.finding }];
    return;
  }
  yield splitter.end();
}

/** Splits text into rows. After a syntax error in CSV, it returns none. */
type Splitter = { push(text: string): ReadRow[]; end(): ReadRow[] };

const csvReader = (separator: string): Splitter => {
  const splitter = new CsvSplitter(separator);
  let columns: string[] | null = null;
  let isBroken = false;
  const rowsOf = (lines: CsvLine[]): ReadRow[] => {
    const rows: ReadRow[] = [];
    for (const { line, cells } of lines) {
      if (columns) rows.push(csvRow(line, cells, columns));
      else columns = cells.map((column) => column.trim());
    }
    if (splitter.brokenLine !== null && !isBroken) {
      isBroken = true;
      const message =
        "A quoted cell is not closed, or text follows its closing quote. We did not read the rest of the file";
      rows.push(unreadable(splitter.brokenLine, "", "syntax", "", message));
    }
    return rows;
  };
  return { push: (text) => rowsOf(splitter.push(text)), end: () => rowsOf(splitter.end()) };
};

const csvRow = (row: number, cells: string[], columns: string[]): ReadRow => {
  if (cells.length !== columns.length) {
    const message = `The line has ${counted(cells.length, "cell")}, the first line has ${columns.length}. Put quotes around cells that contain the separator`;
    return unreadable(row, "", "wrong_cells", "", message);
  }
  const values: Record<string, string> = {};
  for (const [i, column] of columns.entries()) {
    const cell = cells[i] ?? "";
    if (isFormula(cell)) return unreadable(row, column, "formula", cell, formulaMessage);
    values[column] = cell.trim();
  }
  return { row, values };
};

/** Whether a spreadsheet would run a text. Numbers may begin with a minus. */
const isFormula = (cell: string): boolean => /^[=+\-@\t\r]/.test(cell) && !/^-\d+(\.\d+)?$/.test(cell);

const formulaMessage = "A spreadsheet would run this text as a formula. Remove the =, +, -, @ or tab at its beginning";

const jsonReader = ({ asCells }: { asCells: boolean }): Splitter => {
  let row = 0;
  let rest = "";
  const rowsOf = (lines: string[]): ReadRow[] => {
    const rows: ReadRow[] = [];
    for (const line of lines) {
      row++;
      const written = line.trim();
      if (written !== "") rows.push(jsonRow(row, written, asCells));
    }
    return rows;
  };
  return {
    push: (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      return rowsOf(lines);
    },
    end: () => rowsOf([rest]),
  };
};

const jsonRow = (row: number, written: string, asCells: boolean): ReadRow => {
  const value = parsedJson(written);
  if (!isObject(value)) return unreadable(row, "", "syntax", written, "This line is not a JSON object");
  // Only an escape can write what the database cannot store.
  const unstorable = written.includes("\\u") ? unstorableIn(value) : null;
  if (unstorable) return unreadable(row, unstorable.path, "encoding", "", unstorable.message);
  const formula = written.search(/"(?:[=+\-@\t\r]|\\[tru])/) === -1 ? null : formulaIn(value, "");
  if (formula) return unreadable(row, formula.column, "formula", formula.value, formulaMessage);
  if (!asCells) return { row, values: value };
  return { row, values: Object.fromEntries(Object.entries(value).map(([column, each]) => [column, cellOf(each)])) };
};

const formulaIn = (value: object, path: string): { column: string; value: string } | null => {
  for (const [name, each] of Object.entries(value)) {
    const column = path === "" ? name : `${path}.${name}`;
    if (typeof each === "string" && isFormula(each)) return { column, value: each };
    const found = typeof each === "object" && each !== null ? formulaIn(each, column) : null;
    if (found) return found;
  }
  return null;
};

const unreadable = (row: number, column: string, code: FindingCode, value: string, message: string): ReadRow => ({
  row,
  finding: { row, column, code, value: value.slice(0, 60), message },
});

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(cellOf).join("|");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

// ── The first line ──────────────────────────────────────────────────────────────────────────────────

/**
 * Determines kind and syntax of a file from its first line.
 *
 * @throws invalid `file` or `kind`
 */
export const formatOf = (text: string, chosen?: ImportKind): FileFormat => {
  const first = text.trimStart().split(/\r?\n/, 1)[0] ?? "";
  if (first.startsWith("[")) {
    throw refused("This file is a JSON array. Use JSON Lines: one object per line, without brackets around them");
  }
  return first.startsWith("{") ? jsonFormat(first, chosen) : csvFormat(first, chosen);
};

const jsonFormat = (first: string, chosen: ImportKind | undefined): FileFormat => {
  const value = parsedJson(first);
  if (!isObject(value)) throw refused("Line 1 is not a JSON object. Use one object per line");
  return { kind: kindOf(Object.keys(value), chosen, "fields"), syntax: "json_lines" };
};

const csvFormat = (first: string, chosen: ImportKind | undefined): FileFormat => {
  const separator = [",", ";", "\t"].toSorted((a, b) => first.split(b).length - first.split(a).length)[0] ?? ",";
  const splitter = new CsvSplitter(separator);
  const [header] = [...splitter.push(first), ...splitter.end()];
  if (splitter.brokenLine !== null) throw refused("A quote in the first line is not closed");
  const columns = header?.cells.map((column) => column.trim()) ?? [];
  const twice = columns.find((column, i) => columns.indexOf(column) !== i);
  if (twice !== undefined) throw refused(`The column ${twice || "without a name"} is in the first line twice`);
  const kind = kindOf(columns, chosen, "columns");
  if (formats[kind].syntax === "json_lines") {
    throw refused(`${capital(kind)} are imported as JSON Lines: one object per line`);
  }
  return { kind, syntax: "csv", separator };
};

const capital = (kind: ImportKind): string => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll("_", " ");

const kindOf = (names: readonly string[], chosen: ImportKind | undefined, what: "columns" | "fields"): ImportKind => {
  const likely = likeliestKind(names, chosen);
  const format = formats[likely];
  if (sharedColumns(likely, names) < 2) {
    const wanted = formats[chosen ?? (what === "fields" ? "reports" : "routes")].columns.required;
    throw refused(
      what === "columns"
        ? `The first line must have the column names: ${wanted.slice(0, 3).join(", ")} and so on, as in the template`
        : `These are not the fields of a file of ${chosen ?? "reports"}: ${wanted.join(", ")}`,
    );
  }
  if (chosen && chosen !== likely) {
    throw invalid(
      "kind",
      `This file has the ${what} of ${likely}, not of ${chosen}. Choose ${likely}, or another file`,
    );
  }
  const missing = format.columns.required.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    throw refused(
      `${missing.length === 1 ? "This column is" : "These columns are"} missing: ${missing.join(", ")}. Add ${missing.length === 1 ? "it" : "them"}, as in the template`,
    );
  }
  const unknown = names.find((name) => !allColumns(format).includes(name));
  if (unknown !== undefined) {
    throw refused(
      `The ${what === "columns" ? "column" : "field"} ${unknown || "without a name"} is unknown. Remove it or correct its name`,
    );
  }
  return likely;
};

const sharedColumns = (kind: ImportKind, names: readonly string[]): number =>
  allColumns(formats[kind]).filter((column) => names.includes(column)).length;

/** The kind that shares most columns; of several, the chosen one, or else the one that lacks fewest. */
const likeliestKind = (names: readonly string[], chosen: ImportKind | undefined): ImportKind => {
  const rank = (kind: ImportKind): number =>
    sharedColumns(kind, names) * 100 +
    (kind === chosen ? 50 : 0) -
    formats[kind].columns.required.filter((column) => !names.includes(column)).length;
  const [likeliest = "routes"] = importKinds.toSorted((a, b) => rank(b) - rank(a));
  return likeliest;
};
