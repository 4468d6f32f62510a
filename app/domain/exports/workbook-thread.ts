/** The thread that `workbook.server.ts` starts: takes batches of rows until null, and posts the finished file. */
import { on } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import writeXlsxFile, { type Cell, type Row } from "write-excel-file/node";
import type { CellKind } from "./table.ts";
import type { WorkbookTask } from "./workbook.server.ts";

/** A cell as it crosses the threads: money in major units, days as dates at midnight UTC. */
export type PlainCell = string | number | Date | null;

const formats = {
  text: undefined,
  integer: "0",
  decimal: "0.0##",
  cents: "#,##0.00",
  instant: "yyyy-mm-dd hh:mm",
  day: "yyyy-mm-dd",
} as const satisfies Record<CellKind, string | undefined>;

const charactersWide = { text: 18, integer: 12, decimal: 12, cents: 14, instant: 17, day: 12 } as const;

const { sheet, columns } = workerData as WorkbookTask;
if (!parentPort) throw new Error("This module runs in a thread");
const port = parentPort;

const cellOf = (value: PlainCell, index: number): Cell => {
  const format = formats[columns[index]?.kind ?? "text"];
  if (value === null) return null;
  return format === undefined ? { value: String(value), type: String } : { value, format };
};

const data: Row[] = [columns.map(({ label }) => ({ value: label, type: String, fontWeight: "bold" }))];

for await (const [rows] of on(port, "message") as AsyncIterable<[PlainCell[][] | null]>) {
  if (rows === null) break;
  for (const row of rows) data.push(row.map(cellOf));
}
const file = await writeXlsxFile(data, {
  sheet,
  stickyRowsCount: 1,
  columns: columns.map(({ kind }) => ({ width: charactersWide[kind] })),
}).toBuffer();
port.postMessage(new Uint8Array(file));
