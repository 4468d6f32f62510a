import type { LoaderFunctionArgs } from "@remix-run/node";
import { dayOf } from "../../../../domain/dates.ts";
import { validate } from "../../../../domain/input.ts";
import { auditCsv } from "../../../../domain/operations/audit.server.ts";
import { auditFilter } from "../../../../domain/operations/audit-filter.ts";
import { fileResponse, orNoFile } from "../../../../portal/download.server.ts";
import { filledIn } from "../../../../portal/searched.server.ts";
import { visitOfOperator } from "../../../../portal/session.server.ts";

/** The log as a file, with the filters of its page. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const written = async () =>
    auditCsv(ctx, caller, validate(auditFilter, filledIn(new URL(args.request.url).searchParams)));
  return fileResponse(await orNoFile(written()), { name: `audit-${dayOf(ctx.clock.now())}.csv`, type: "text/csv" });
};
