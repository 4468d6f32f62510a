/** Exported reports as files. The API and the portal offer the same. */
import { cursorColumn, reportRowColumns } from "../domain/exports/report-columns.ts";
import type { ReportRow } from "../domain/exports/report-row.ts";
import { tableCsv } from "../domain/exports/table-csv.ts";
import { tableParquet } from "../domain/exports/table-parquet.server.ts";
import type { Parts } from "../platform/byte-stream.server.ts";
import { reportRowDocument } from "./documents/catalogue.ts";
import type { ReportFileFormat } from "./report-formats.ts";

type Batches = AsyncIterable<ReportRow[]>;

export const reportFile = (format: ReportFileFormat, batches: Batches): Parts => writers[format](batches);

async function* jsonLines(batches: Batches): Parts {
  for await (const rows of batches) yield rows.map((row) => `${JSON.stringify(reportRowDocument(row))}\n`).join("");
}

const writers = {
  jsonl: jsonLines,
  csv: (batches) => tableCsv([...reportRowColumns, cursorColumn], batches),
  // A Parquet file that broke off cannot be read, so its rows need no cursor.
  parquet: (batches) => tableParquet(reportRowColumns, batches),
} satisfies Record<ReportFileFormat, (batches: Batches) => Parts>;
