/** Checking rows, a few at a time, so that whoever else is served meanwhile need not wait. */
import { setImmediate as pause } from "node:timers/promises";
import type { z } from "zod";
import type { CatalogueSource } from "../catalogue/import-records.ts";
import type { CellError } from "./cell-error.ts";
import type { FileRow } from "./file.ts";

/** What a file would do. With errors it does nothing. */
export type Plan = {
  source: CatalogueSource;
  /** In records: routes, charges, reports. */
  counts: { new: number; changed: number; unchanged: number };
  /** Lines with data. */
  rows: number;
  errors: CellError[];
};

/** Told now and then. */
export type OnProgress = (rowsDone: number) => void;

/** How long others wait at most, about. */
const turnMs = 20;
const rowsPerNote = 1_000;

/** Rows as they come, with a pause for others now and then. */
export async function* unhurried<Row>(rows: Iterable<Row>, onProgress: OnProgress = () => {}): AsyncGenerator<Row> {
  let done = 0;
  let turnBegan = performance.now();
  for (const row of rows) {
    yield row;
    if (++done % rowsPerNote === 0) onProgress(done);
    if (performance.now() - turnBegan < turnMs) continue;
    await pause();
    turnBegan = performance.now();
  }
}

/** A row by its schema; null with a note of everything that is wrong. */
export const checked = <Schema extends z.ZodType>(
  schema: Schema,
  { line, cells }: FileRow,
  errors: CellError[],
): z.output<Schema> | null => {
  const result = schema.safeParse(cells);
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues) {
    const column = String(path[0] ?? "");
    errors.push({ line, column, value: cells[column] ?? "", message });
  }
  return null;
};

/** Whether two records say the same. */
export const sameRecord = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
