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
const portionLimits = { bytes: 1024 * 1024, rows: 20_000 };

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
  const lines = new EncodedLines();
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
    lines.add(lineOf(read.row, record));
    portion.stagedRows++;
  };
  for await (const batch of readRows(format, content)) {
    for (const read of batch) add(read);
    if (lines.length >= portionLimits.bytes || portion.rows >= portionLimits.rows) {
      yield closed(portion, lines);
      portion = emptyPortion();
    }
  }
  yield closed(portion, lines);
}

type OpenPortion = Pick<Portion, "rows" | "stagedRows" | "firstRows"> & { found: FoundInFile };

const emptyPortion = (): OpenPortion => ({ rows: 0, stagedRows: 0, found: noFindings(), firstRows: [] });

const closed = ({ rows, stagedRows, firstRows, found }: OpenPortion, lines: EncodedLines): Portion => ({
  rows,
  stagedRows,
  firstRows,
  lines: lines.takeAll(),
  errors: found.errors.all(),
  warnings: found.warnings.all(),
});

/** Lines in UTF-8. They are encoded one by one, because strings kept for a portion would be work for the garbage collector. */
class EncodedLines {
  #bytes = new Uint8Array(2 * portionLimits.bytes);
  length = 0;

  add(line: string): void {
    // A UTF-16 unit takes at most three bytes.
    const needed = this.length + 3 * line.length;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(2 * needed);
      larger.set(this.#bytes.subarray(0, this.length));
      this.#bytes = larger;
    }
    this.length += encoder.encodeInto(line, this.#bytes.subarray(this.length)).written;
  }

  takeAll(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }
}

const encoder = new TextEncoder();

const lineWriter = (kind: ImportKind): ((row: number, values: StagedRow) => string) => {
  const columns = Object.keys(formats[kind].staging);
  const areJson = Object.values<string>(formats[kind].staging).map((type) => type === "jsonb");
  return (row, values) => {
    const line = new Array<CopyValue>(columns.length + 1);
    line[0] = row;
    for (let i = 0; i < columns.length; i++) {
      const value = values[columns[i] as string] ?? null;
      line[i + 1] = value !== null && areJson[i] ? JSON.stringify(value) : (value as CopyValue);
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
