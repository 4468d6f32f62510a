import type { LoaderFunctionArgs } from "@remix-run/node";
import { dailyUsage } from "#app/domain/usage/breakdown.server.ts";
import { dailyUsageCsv } from "#app/domain/usage/export.ts";
import { csvResponse, orNoFile, visitForFile } from "#app/portal/download.server.ts";
import { nonEmptyParams } from "#app/portal/search-params.server.ts";
import { readUsageQuery } from "./usage-query.ts";

/** Usage by day, key, route and endpoint as CSV, with the filters of its page. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { search, searchParams } = new URL(args.request.url);
  const { ctx, caller } = await visitForFile(args, `/usage${search}`);
  const written = async () => {
    const { rows, firstDay, lastDay } = await dailyUsage(ctx, caller, readUsageQuery(nonEmptyParams(searchParams)));
    return csvResponse(dailyUsageCsv(rows), `api-usage-${firstDay}-to-${lastDay}.csv`);
  };
  return orNoFile(written());
};
