/** Reads a file into portions that COPY takes. Without the database, so that a thread of its own can do it. */
import { type CopyValue, copyLine } from "../../platform/copy-format.ts";
import { type ExchangeRate, exchangeRateFinder } from "../catalogue/exchange-rates.ts";
import { type FileFormat, type ReadRow, readRows } from "./file.ts";
import { type FoundInFile, noFindings, RowNote } from "./findings.ts";
import { formats, type ImportKind } from "./formats.ts";
import type { Findings, StagedRow } from "./kind.ts";
import { rowsShown, valueKept } from "./policy.ts";
import type { FirstRow } from "./preview.ts";

/** Some rows, and what was found in them. */
export type Portion = {
  rows: number;
  /** The valid rows, in COPY's text format. */
  lines: Uint8Array<ArrayBuffer>;
  stagedRows: number;
  errors: Findings;
  warnings: Findings;
  /** Of the file's first rows, those that are in this portion. */
  firstRows: FirstRow[];
};

/** What rows are read against, as plain data. */
export type ReadingWorld = { now: Date; exchangeRates: readonly ExchangeRate[] };

/** A portion ends at either. A few portions bound the memory that a file needs. */
const portionLimits = { characters: 1024 * 1024, rows: 20_000 };

/** The columns of a staging table, in the order of the lines. */
export const stagedColumns = (kind: ImportKind): string[] => ["row", ...Object.keys(formats[kind].staging)];

export async function* portionsOf(
  format: FileFormat,
  content: AsyncIterable<Uint8Array>,
  { now, exchangeRates }: ReadingWorld,
): AsyncGenerator<Portion> {
  const { parseRow } = formats[format.kind];
  const world = { now, findExchangeRate: exchangeRateFinder(exchangeRates) };
  const lineOf = lineWriter(format.kind);
  let portion = emptyPortion();
  let shown = 0;
  const add = (read: ReadRow): void => {
    portion.rows++;
    if ("finding" in read) {
      portion.found.errors.add(read.finding);
      return;
    }
    if (shown < rowsShown) {
      portion.firstRows.push(shortened(read.row, read.values));
      shown++;
    }
    const record = parseRow(read.values, new RowNote(read.row, read.values, portion.found), world);
    if (!record) return;
    const line = lineOf(read.row, record);
    portion.lines.push(line);
    portion.characters += line.length;
  };
  for await (const batch of readRows(format, content)) {
    for (const read of batch) add(read);
    if (portion.characters >= portionLimits.characters || portion.rows >= portionLimits.rows) {
      yield closed(portion);
      portion = emptyPortion();
    }
  }
  yield closed(portion);
}

type OpenPortion = Pick<Portion, "rows" | "firstRows"> & { found: FoundInFile; lines: string[]; characters: number };

const emptyPortion = (): OpenPortion => ({ rows: 0, found: noFindings(), lines: [], characters: 0, firstRows: [] });

const closed = ({ rows, firstRows, found, lines }: OpenPortion): Portion => ({
  rows,
  firstRows,
  lines: new TextEncoder().encode(lines.join("")),
  stagedRows: lines.length,
  errors: found.errors.all(),
  warnings: found.warnings.all(),
});

const lineWriter = (kind: ImportKind): ((row: number, values: StagedRow) => string) => {
  const columns = Object.entries<string>(formats[kind].staging);
  return (row, values) => {
    const line: CopyValue[] = [row];
    for (const [column, type] of columns) {
      const value = values[column] ?? null;
      line.push(value !== null && type === "jsonb" ? JSON.stringify(value) : (value as CopyValue));
    }
    return copyLine(line);
  };
};

const shortened = (row: number, values: Readonly<Record<string, unknown>>): FirstRow => ({
  row,
  cells: Object.fromEntries(
    Object.entries(values).map(([column, value]) => [
      column,
      (typeof value === "string" ? value : value == null ? "" : JSON.stringify(value))
        .slice(0, valueKept)
        .toWellFormed(),
    ]),
  ),
});
