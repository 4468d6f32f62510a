import type { LoaderFunctionArgs } from "@remix-run/node";
import { dayOf } from "../../../../domain/dates.ts";
import { Refusal } from "../../../../domain/errors.ts";
import { validate } from "../../../../domain/input.ts";
import { auditCsv } from "../../../../domain/operations/audit.server.ts";
import { auditFilter } from "../../../../domain/operations/audit-filter.ts";
import { fileResponse } from "../../../../portal/download.server.ts";
import { visitOfOperator } from "../../../../portal/session.server.ts";

/** The log as a file, with the filters of its page. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const { searchParams } = new URL(args.request.url);
  try {
    const filter = validate(auditFilter, Object.fromEntries([...searchParams].filter(([, value]) => value !== "")));
    const body = await auditCsv(ctx, caller, filter);
    return fileResponse(body, { name: `audit-${dayOf(ctx.clock.now())}.csv`, type: "text/csv" });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const reasons = error.fields.map(({ path, message }) => `${path}: ${message}`);
    return new Response([error.message, ...reasons].join("\n"), { status: 422 });
  }
};
