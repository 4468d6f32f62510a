/** The reports of many routes as a file. */
import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { reportFile } from "#app/api/report-files.server.ts";
import { dayOf } from "#app/domain/dates.ts";
import { mostWorkbookRows } from "#app/domain/exports/policy.ts";
import { reportRowColumns, workbookColumns } from "#app/domain/exports/report-columns.ts";
import { openReports } from "#app/domain/exports/reports.server.ts";
import { tableCsv } from "#app/domain/exports/table-csv.ts";
import { workbook } from "#app/domain/exports/workbook.server.ts";
import { asLongWork } from "#app/platform/time-budget.server.ts";
import {
  csvStreamResponse,
  fileResponse,
  orNoFile,
  streamOf,
  visitForFile,
  workbookType,
} from "#app/portal/download.server.ts";
import { dayErrors, readReportsChoice } from "./choice.server.ts";

export const loader = async (args: LoaderFunctionArgs): Promise<Response> => {
  const { search, searchParams } = new URL(args.request.url);
  const { ctx, caller } = await visitForFile(args, `/download${search}`);
  // The form shows what is wrong.
  if (dayErrors(searchParams).length > 0) throw redirect(`/download${search}`);
  const { format, found } = await orNoFile(
    (async () => {
      const { format, filter } = readReportsChoice(searchParams);
      return { format, found: await openReports(ctx, caller, filter) };
    })(),
  );
  const name = `reports-${dayOf(ctx.clock.now())}.${format}`;
  if (format === "xlsx") {
    const rowCount = await asLongWork(() => found.count());
    if (rowCount > mostWorkbookRows) throw redirect(`/download${search}&too_long=${rowCount}`);
    const file = await asLongWork(() => workbook("Reports", workbookColumns, found.batches()));
    return fileResponse(file, { name, type: workbookType });
  }
  // In the portal nobody resumes a download, so its rows have no cursor.
  if (format === "csv") return csvStreamResponse(tableCsv(reportRowColumns, found.batches()), name, args);
  return fileResponse(await streamOf(reportFile(format, found.batches()), args), { name, type: types[format] });
};

const types = { jsonl: "application/x-ndjson", parquet: "application/vnd.apache.parquet" };
