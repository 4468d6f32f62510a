import { type Cell, csvLines } from "../csv.ts";
import { isoInstant } from "../dates.ts";
import type { CellValue, ExportColumn } from "./table.ts";

/** Makes Excel read a file as UTF-8. Programs expect none. */
export const byteOrderMark = "\uFEFF";

/** A table as CSV, header first, in one part for each batch of rows. */
export async function* tableCsv<Row>(
  columns: readonly ExportColumn<Row>[],
  batches: AsyncIterable<Row[]>,
): AsyncGenerator<string, void> {
  let header: Cell[][] = [columns.map(({ name }) => name)];
  for await (const rows of batches) {
    yield csvLines([...header, ...rows.map((row) => columns.map(({ value }) => cellOf(value(row))))]);
    header = [];
  }
  if (header.length > 0) yield csvLines(header);
}

const cellOf = (value: CellValue): Cell => (value instanceof Date ? isoInstant(value) : value);
