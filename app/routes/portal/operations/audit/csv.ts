import type { LoaderFunctionArgs } from "@remix-run/node";
import { dayOf } from "#app/domain/dates.ts";
import { validate } from "#app/domain/input.ts";
import { auditCsv } from "#app/domain/operations/audit.server.ts";
import { auditFilter } from "#app/domain/operations/audit-filter.ts";
import { csvResponse, orNoFile } from "#app/portal/download.server.ts";
import { nonEmptyParams } from "#app/portal/search-params.server.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";

/** The audit log as a CSV file, with the same filters as its page. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const written = async () =>
    auditCsv(ctx, caller, validate(auditFilter, nonEmptyParams(new URL(args.request.url).searchParams)));
  return csvResponse(await orNoFile(written()), `audit-${dayOf(ctx.clock.now())}.csv`);
};
