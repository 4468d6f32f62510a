import type { LoaderFunctionArgs } from "@remix-run/node";
import { dayOf } from "#app/domain/dates.ts";
import { logsCsv } from "#app/domain/usage/export.ts";
import { logsForExport } from "#app/domain/usage/logs.server.ts";
import { csvStreamResponse, orNoFile, visitForFile } from "#app/portal/download.server.ts";
import { nonEmptyParams } from "#app/portal/search-params.server.ts";
import { readLogFilter } from "./log-filter.ts";

/** The request log as CSV, with the filters of its page. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { search, searchParams } = new URL(args.request.url);
  const { ctx, caller } = await visitForFile(args, `/usage/logs${search}`);
  const name = `api-usage-logs-${dayOf(ctx.clock.now())}.csv`;
  const written = async () => {
    const parts = logsCsv(await logsForExport(ctx, caller, readLogFilter(nonEmptyParams(searchParams))));
    return csvStreamResponse(parts, name, args);
  };
  return orNoFile(written());
};
