/** The base rates and surcharges in force today, as a file. */
import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { dayOf } from "#app/domain/dates.ts";
import { mostWorkbookRows } from "#app/domain/exports/policy.ts";
import { type RateRow, rateColumns } from "#app/domain/exports/rate-columns.ts";
import { openRates } from "#app/domain/exports/rates.server.ts";
import { tableCsv } from "#app/domain/exports/table-csv.ts";
import { workbook } from "#app/domain/exports/workbook.server.ts";
import { asLongWork } from "#app/platform/time-budget.server.ts";
import { csvStreamResponse, fileResponse, orNoFile, visitForFile, workbookType } from "#app/portal/download.server.ts";
import { readRatesChoice } from "./choice.server.ts";

export const loader = async (args: LoaderFunctionArgs): Promise<Response> => {
  const { search, searchParams } = new URL(args.request.url);
  const { ctx, caller } = await visitForFile(args, `/download${search}`);
  const { format, batches } = await orNoFile(
    (async () => {
      const { format, routeIds } = readRatesChoice(searchParams);
      return { format, batches: await openRates(ctx, caller, routeIds) };
    })(),
  );
  const name = `rates-${dayOf(ctx.clock.now())}.${format}`;
  if (format === "csv") return csvStreamResponse(tableCsv(rateColumns, batches), name, args);
  const rows = await asLongWork(() => gathered(batches));
  if (rows.length > mostWorkbookRows) throw redirect(`/download${search}&too_long=${rows.length}`);
  return fileResponse(await workbook("Rates", rateColumns, inOneBatch(rows)), { name, type: workbookType });
};

const gathered = async (batches: AsyncIterable<RateRow[]>): Promise<RateRow[]> => {
  const all: RateRow[] = [];
  for await (const rows of batches) all.push(...rows);
  return all;
};

async function* inOneBatch(rows: RateRow[]): AsyncGenerator<RateRow[], void> {
  yield rows;
}
