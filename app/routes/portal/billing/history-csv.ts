import type { LoaderFunctionArgs } from "@remix-run/node";
import { dayOf } from "#app/domain/dates.ts";
import { billingCsv } from "#app/domain/payments/billing-csv.server.ts";
import { csvResponse, visitForFile } from "#app/portal/download.server.ts";

/** The billing history as a CSV file. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitForFile(args, "/billing");
  const name = `billing-${dayOf(ctx.clock.now())}.csv`;
  return csvResponse(await billingCsv(ctx, caller), name);
};
