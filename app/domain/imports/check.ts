/** Checks rows in small batches, so that the event loop stays free for requests. */
import { setImmediate as pause } from "node:timers/promises";
import type { z } from "zod";
import type { CatalogueSource } from "../catalogue/import-records.ts";

export type FileRow = { line: number; cells: Record<string, string> };

/** A finding of a plan. */
export type CellError = { line: number; column: string; value: string; message: string };

/** What applying a file would do. A plan with errors cannot be applied. */
export type Plan = {
  source: CatalogueSource;
  /** In records: routes, charges or reports. */
  counts: { new: number; changed: number; unchanged: number };
  /** Lines with data. */
  rows: number;
  errors: CellError[];
};

/** Called from time to time. */
export type OnProgress = (rowsDone: number) => void;

/** The longest time that the event loop is blocked, approximately. */
const maxBlockMs = 20;
const rowsPerProgressUpdate = 1_000;

/** Yields the rows and pauses regularly to let other work run. */
export async function* withPauses<Row>(rows: Iterable<Row>, onProgress: OnProgress = () => {}): AsyncGenerator<Row> {
  let done = 0;
  let lastPauseMs = performance.now();
  for (const row of rows) {
    yield row;
    if (++done % rowsPerProgressUpdate === 0) onProgress(done);
    if (performance.now() - lastPauseMs < maxBlockMs) continue;
    await pause();
    lastPauseMs = performance.now();
  }
}

/** Parses a row. Returns null and adds to `errors` if it is invalid. */
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

/** Whether two records are equal, whatever the order of their properties. */
export const sameRecord = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
