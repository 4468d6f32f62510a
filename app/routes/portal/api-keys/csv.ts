import type { LoaderFunctionArgs } from "@remix-run/node";
import { keysCsv } from "#app/domain/api-keys/export.ts";
import { allKeys } from "#app/domain/api-keys/manage.server.ts";
import { dayOf } from "#app/domain/dates.ts";
import { csvResponse, visitForFile } from "#app/portal/download.server.ts";

/** The account's keys as CSV, without their secrets. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitForFile(args, "/api-keys");
  return csvResponse(keysCsv(await allKeys(ctx, caller)), `api-keys-${dayOf(ctx.clock.now())}.csv`);
};
