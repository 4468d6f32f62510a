/** Parses uploaded files into rows. The messages tell the operator what to do. */
import type { z } from "zod";
import { type CsvLine, CsvSyntaxError, csvLines } from "../catalogue/csv-rows.ts";
import { invalid, Refusal } from "../errors.ts";
import { unstorableIn } from "../input.ts";
import type { CellError } from "./cell-error.ts";

/** In bytes. */
export const largestFile = 20 * 1024 * 1024;

export const importKinds = ["routes", "rates", "reports"] as const;
export type ImportKind = (typeof importKinds)[number];

export type FileRow = { line: number; cells: Record<string, string> };
/** One line of a JSON Lines file. */
export type JsonRow = { line: number; value: unknown };

/** Columns by kind. The optional ones may be left out. */
export const columnsOf = {
  routes: {
    required: [
      "code",
      "name",
      "cargo_type",
      "carrier_code",
      "trade_lane_code",
      "route_group_code",
      "origin_unlocode",
      "destination_unlocode",
      "distance_nm",
      "service_level",
      "transit_time_days",
      "sailings_per_week",
      "departure_weekdays",
      "data_freshness",
    ],
    optional: ["carrier_name", "via_unlocodes", "status"],
  },
  rates: {
    required: ["route_code", "valid_from", "charge_type", "charge_code", "amount", "currency", "basis"],
    optional: ["service_level", "valid_to", "equipment_type"],
  },
  reports: {
    required: ["route_code", "report_type", "observed_at", "data"],
    optional: ["external_id", "valid_from", "valid_to"],
  },
} as const satisfies Record<ImportKind, { required: readonly string[]; optional: readonly string[] }>;

type Columns = typeof columnsOf;
/** The schemas of a kind, one per column. A column without a schema, or a schema without a column, does not compile. */
export type CellSchemas<Kind extends ImportKind> = Record<Columns[Kind]["required" | "optional"][number], z.ZodType>;

/** @throws invalid `file` if the bytes are not UTF-8 text */
export const textIn = (bytes: Uint8Array): string => {
  if (bytes.length === 0) throw refused("The file is empty. Choose the one with the data");
  if (bytes.length > largestFile) throw tooLarge();
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff)) {
    throw refused("The file is UTF-16. Save it as UTF-8 (in Excel: CSV UTF-8), then choose it again");
  }
  if (startsWith(bytes, 0x50, 0x4b)) {
    throw refused("This is a workbook or an archive, not text. Save its sheet as CSV UTF-8, then choose that file");
  }
  if (bytes.includes(0)) throw refused("This is not a text file. Choose a CSV or JSON Lines file");
  const text = decoded(bytes);
  if (text.trim() === "") throw refused("The file is empty. Choose the one with the data");
  return text;
};

export const tooLarge = () => {
  const message = `The file is larger than ${largestFile / 1024 / 1024} MB. Split it, and import the parts one after the other`;
  return new Refusal("too_large", message, { fields: [{ path: "file", message }] });
};

const refused = (message: string) => invalid("file", message);

const startsWith = (bytes: Uint8Array, ...start: number[]) => start.every((byte, i) => bytes[i] === byte);

const decoded = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refused(
      `Line ${firstBadLine(bytes)} is not UTF-8. Save the file as UTF-8 (in Excel: CSV UTF-8), then choose it again`,
    );
  }
};

/** Searches for the byte 10, which in UTF-8 occurs only as a line end. */
const firstBadLine = (bytes: Uint8Array): number => {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  for (let from = 0; from < bytes.length; line++) {
    const end = bytes.indexOf(10, from);
    const until = end === -1 ? bytes.length : end;
    try {
      decoder.decode(bytes.subarray(from, until));
    } catch {
      return line;
    }
    from = until + 1;
  }
  return line;
};

export type FileFormat = { kind: ImportKind } & ({ syntax: "csv"; separator: string } | { syntax: "json_lines" });

/**
 * Determines kind and syntax of a file from its first line.
 *
 * @param chosen the kind that the operator has selected
 * @throws invalid `file` or `kind`
 */
export const formatOf = (text: string, chosen?: ImportKind): FileFormat => {
  const first = firstLine(text);
  if (first.startsWith("[")) {
    throw refused("This is a JSON array. Write JSON Lines: one object on each line, without brackets around them");
  }
  return first.startsWith("{") ? jsonFormat(first, chosen) : csvFormat(first, chosen);
};

const firstLine = (text: string): string => text.slice(0, 100_000).trimStart().split(/\r?\n/, 1)[0] ?? "";

const jsonFormat = (first: string, chosen: ImportKind | undefined): FileFormat => {
  const value = parsedJson(first);
  if (!isObject(value)) throw refused("Line 1 is not a JSON object. Write one object on each line");
  return { kind: kindOf(Object.keys(value), chosen, "fields"), syntax: "json_lines" };
};

const csvFormat = (first: string, chosen: ImportKind | undefined): FileFormat => {
  const separator = [",", ";", "\t"].toSorted((a, b) => first.split(b).length - first.split(a).length)[0] ?? ",";
  const columns = headerOf(first, separator);
  const twice = columns.find((column, i) => columns.indexOf(column) !== i);
  if (twice !== undefined) throw refused(`The column ${twice || "without a name"} stands twice in the first line`);
  const kind = kindOf(columns, chosen, "columns");
  if (kind === "reports") throw refused("Reports are imported as JSON Lines: one object on each line");
  return { kind, syntax: "csv", separator };
};

const headerOf = (first: string, separator: string): string[] => {
  try {
    const [header] = csvLines(first, separator);
    return header?.cells.map((column) => column.trim()) ?? [];
  } catch (error) {
    if (error instanceof CsvSyntaxError) throw refused("A quote in the first line is not closed");
    throw error;
  }
};

const kindOf = (names: readonly string[], chosen: ImportKind | undefined, what: "columns" | "fields"): ImportKind => {
  const shared = (kind: ImportKind) => all(kind).filter((column) => names.includes(column)).length;
  const [likely = "routes"] = importKinds.toSorted((a, b) => shared(b) - shared(a));
  if (shared(likely) < 2) {
    const wanted = columnsOf[chosen ?? "routes"].required.slice(0, 3).join(", ");
    throw refused(
      what === "columns"
        ? `The first line does not name the columns. It has to: ${wanted} and so on, as in the template`
        : `These are not the fields of a report: ${columnsOf.reports.required.join(", ")}`,
    );
  }
  if (chosen && chosen !== likely) {
    throw invalid(
      "kind",
      `This file has the ${what} of ${likely}, not of ${chosen}. Choose ${likely}, or another file`,
    );
  }
  const missing = columnsOf[likely].required.filter((column) => !names.includes(column));
  if (missing.length > 0) {
    throw refused(
      `${missing.join(", ")}: missing. ${likely} need ${missing.length === 1 ? "it" : "them"}; see the template`,
    );
  }
  const unknown = names.find((name) => !all(likely).includes(name));
  if (unknown !== undefined) {
    throw refused(
      `The ${what === "columns" ? "column" : "field"} ${unknown || "without a name"} is unknown. Remove it, or correct its name`,
    );
  }
  return likely;
};

const all = (kind: ImportKind): readonly string[] => [...columnsOf[kind].required, ...columnsOf[kind].optional];

/** The rows of a file as cells. Unreadable lines are added to `errors`. */
export function* cellRows(text: string, format: FileFormat, errors: CellError[]): Generator<FileRow> {
  if (format.syntax === "json_lines") {
    for (const { line, value } of jsonRows(text, errors)) {
      if (isObject(value))
        yield { line, cells: Object.fromEntries(Object.entries(value).map(([k, v]) => [k, cellOf(v)])) };
    }
    return;
  }
  try {
    let columns: string[] | null = null;
    for (const read of csvLines(text, format.separator)) {
      if (hasTooManyErrors(errors, read.line)) return;
      if (columns === null) {
        columns = read.cells.map((column) => column.trim());
        continue;
      }
      if (!fits(read, columns, errors)) continue;
      const { line, cells } = read;
      yield { line, cells: Object.fromEntries(columns.map((column, i) => [column, cells[i]?.trim() ?? ""])) };
    }
  } catch (error) {
    if (!(error instanceof CsvSyntaxError)) throw error;
    const message = "A quote is not closed, or text follows it. Nothing after it was read";
    errors.push({ line: error.line, column: "", value: "", message });
  }
}

const fits = ({ line, cells }: CsvLine, columns: string[], errors: CellError[]): boolean => {
  if (cells.length === columns.length) return true;
  const message = `The line has ${cells.length} cells, the first line ${columns.length}. Quote cells that hold the separator`;
  errors.push({ line, column: "", value: "", message });
  return false;
};

/** The objects of a JSON Lines file. Other lines are added to `errors`. */
export function* jsonRows(text: string, errors: CellError[]): Generator<JsonRow> {
  let line = 0;
  for (let from = 0; from < text.length; ) {
    line++;
    if (hasTooManyErrors(errors, line)) return;
    const end = text.indexOf("\n", from);
    const until = end === -1 ? text.length : end;
    const written = text.slice(from, until).trim();
    from = until + 1;
    if (written === "") continue;
    const value = parsedJson(written);
    const unstorable = isObject(value) ? unstorableIn(value) : null;
    if (unstorable) errors.push({ line, column: unstorable.path, value: "", message: unstorable.message });
    else if (isObject(value)) yield { line, value };
    else errors.push({ line, column: "", value: written.slice(0, 60), message: "Not a JSON object. Correct the line" });
  }
}

/** Reading stops here, because all errors are held in memory and a longer list helps nobody. */
export const maxErrors = 10_000;

const hasTooManyErrors = (errors: CellError[], line: number): boolean => {
  if (errors.length < maxErrors) return false;
  errors.push({
    line,
    column: "",
    value: "",
    message: "Too many errors before this line. Nothing from here on was read",
  });
  return true;
};

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(cellOf).join("|");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};
