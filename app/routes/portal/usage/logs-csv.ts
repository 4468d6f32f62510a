import type { LoaderFunctionArgs } from "@remix-run/node";
import { dayOf } from "../../../domain/dates.ts";
import { Refusal } from "../../../domain/errors.ts";
import { logsCsv } from "../../../domain/usage/export.ts";
import { logsForExport } from "../../../domain/usage/logs.server.ts";
import { fileResponse, streamOf, visitForFile } from "../../../portal/download.server.ts";
import { filledIn, readLogFilter } from "./log-filter.ts";

/** The log as a file, with the filters of its page. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { search, searchParams } = new URL(args.request.url);
  const { ctx, caller } = await visitForFile(args, `/usage/logs${search}`);
  try {
    const logs = await logsForExport(ctx, caller, readLogFilter(filledIn(searchParams)));
    const name = `api-usage-logs-${dayOf(ctx.clock.now())}.csv`;
    return fileResponse(await streamOf(logsCsv(logs)), { name, type: "text/csv" });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const reasons = error.fields.map(({ path, message }) => `${path}: ${message}`);
    return new Response([error.message, ...reasons].join("\n"), { status: 422 });
  }
};
