/**
 * Tables as Excel workbooks, for people. Building one takes seconds of CPU time, in which the process would serve no
 * requests, so it happens in a thread. One is built at a time, so that memory does not grow with the demand.
 */
import { on } from "node:events";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { currency, minorDigitsOf } from "../money.ts";
import type { CellKind, ExportColumn } from "./table.ts";
import type { PlainCell } from "./workbook-thread.ts";

/** What the thread is given. */
export type WorkbookTask = { sheet: string; columns: { label: string; kind: CellKind }[] };

const threadMegabytes = { maxOldGenerationSizeMb: 512 };

/** In the source folder, whether this module is bundled or not. */
const program = createRequire(import.meta.url).resolve("#app/domain/exports/start-workbook-thread.mjs");

let previous: Promise<unknown> = Promise.resolve();

/** One sheet with a frozen header, real dates and formatted numbers. */
export const workbook = <Row>(
  sheet: string,
  columns: readonly ExportColumn<Row>[],
  batches: AsyncIterable<Row[]>,
): Promise<Uint8Array<ArrayBuffer>> => {
  const built = previous.then(() => build(sheet, columns, batches));
  previous = built.catch(() => {});
  return built;
};

const build = async <Row>(
  sheet: string,
  columns: readonly ExportColumn<Row>[],
  batches: AsyncIterable<Row[]>,
): Promise<Uint8Array<ArrayBuffer>> => {
  const task: WorkbookTask = {
    sheet,
    columns: columns.map((column) => ({ label: labelOf(column), kind: column.kind })),
  };
  const thread = new Worker(program, { workerData: task, resourceLimits: threadMegabytes });
  const send = async () => {
    for await (const rows of batches)
      thread.postMessage(rows.map((row) => columns.map((column) => plain(column, row))));
    thread.postMessage(null);
  };
  try {
    const [file] = await Promise.all([firstMessage(thread), send()]);
    return file;
  } finally {
    await thread.terminate();
  }
};

/** @throws what the thread throws */
const firstMessage = async (thread: Worker): Promise<Uint8Array<ArrayBuffer>> => {
  for await (const [file] of on(thread, "message", { close: ["exit"] })) return file as Uint8Array<ArrayBuffer>;
  throw new Error("The thread that builds a workbook ended before it");
};

const plain = <Row>(column: ExportColumn<Row>, row: Row): PlainCell => {
  const value = column.value(row);
  if (column.kind === "day" && typeof value === "string") return new Date(`${value}T00:00:00Z`);
  if (column.kind !== "cents" || typeof value !== "number") return value;
  return value / 10 ** minorDigitsOf(column.currency?.(row) ?? currency);
};

/** `base_rate_cents` is `Base rate`, `route_id` is `Route ID`, `observed_at` is `Observed at (UTC)`. */
const labelOf = ({ name, kind }: Pick<ExportColumn<never>, "name" | "kind">): string => {
  const words = name
    .replace(/_cents$/, "")
    .replaceAll("_", " ")
    .replace(/\b(id|eta|etd)\b/, (abbreviation) => abbreviation.toUpperCase());
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${kind === "instant" ? " (UTC)" : ""}`;
};
