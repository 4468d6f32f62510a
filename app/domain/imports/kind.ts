/**
 * What one kind of file is: its columns, and how a row is read. Each kind has its own module, which does no I/O;
 * `kind.server.ts` has what the database does with the rows.
 */
import type { FindExchangeRate } from "../catalogue/exchange-rates.ts";
import type { Finding, FindingCode } from "./finding.ts";
import type { PriceChange, RecordChange } from "./preview.ts";

/** The cells of a CSV line by column, all text; or the fields of a JSON object. */
export type RowValues = Readonly<Record<string, unknown>>;

/** A value of the staging table. An object is stored as JSON. */
export type StagedValue = string | number | boolean | null | Date | readonly (string | number)[] | object;
export type StagedRow = Readonly<Record<string, StagedValue>>;

/** Notes a finding of the row that is being read. `value` is looked up in the row; a dotted column reaches into objects. */
export type Note = {
  error(column: string, code: FindingCode, message: string): void;
  warning(column: string, code: FindingCode, message: string): void;
};

export type ImportFormat<Row extends StagedRow = StagedRow> = {
  syntax: "csv" | "json_lines";
  /** In the template's order. The optional ones may be left out. */
  columns: { required: readonly string[]; optional: readonly string[] };
  /** The file in `public/import-templates`. */
  template: string;
  /** One or two sentences for the console. */
  about: string;
  /** The columns of the staging table and their SQL types. The engine adds `row`. */
  staging: { readonly [Column in keyof Row]: string };
  /** Reads one row without the database. Returns null after noting an error. */
  parseRow(values: RowValues, note: Note, world: ParseWorld): Row | null;
};

/** What a row may be read against: little, and independent of the size of file and catalogue. */
export type ParseWorld = { now: Date; findExchangeRate: FindExchangeRate };

/** Findings of the rows, or of the SQL checks: the first ones by row, and how many there are. */
export type Findings = { first: Finding[]; count: number };

/** What applying a file would do. */
export type Diff = {
  /** In records, not in rows. */
  counts: { new: number; changed: number; unchanged: number };
  /** The first ones, changed before new. */
  changes: RecordChange[];
  /** Base prices of trade lanes that would change. */
  prices: PriceChange[];
  /** The existing routes that the changes concern. Absent: the kind's `routes` finds them. */
  routeIds?: number[];
};

/** How many changes and prices a preview shows. */
export const changesShown = 50;
