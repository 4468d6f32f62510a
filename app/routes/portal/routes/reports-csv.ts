/** All reports of a period as CSV, with the API's names and units. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { reportColumns } from "#app/domain/exports/report-columns.ts";
import { tableCsv } from "#app/domain/exports/table-csv.ts";
import { findPeriod, readWholePeriod } from "#app/domain/subscriptions/read-period.server.ts";
import { csvStreamResponse, fileName, orNoFile } from "#app/portal/download.server.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfReader } from "#app/portal/session.server.ts";

export const loader = async (args: LoaderFunctionArgs): Promise<Response> => {
  const ids = { routeId: idOf(args.params.route_id), periodId: idOf(args.params.period_id) };
  const { ctx, caller } = await visitOfReader(args, ids.routeId, `/routes/${ids.routeId}/periods/${ids.periodId}`);
  const { period } = await orNoFile(findPeriod(ctx, caller, ids));
  const parts = tableCsv(reportColumns, readWholePeriod(ctx, caller, ids));
  return orNoFile(csvStreamResponse(parts, fileName(period.code, "csv"), args));
};
