/** Reading one period of a route and its reports. @spec What the service does (hierarchy) */
import type { Caller } from "../accounts/caller.ts";
import type { DataAge } from "../catalogue/freshness.ts";
import type { Period } from "../catalogue/period.ts";
import type { Report, ReportFilter } from "../catalogue/report.ts";
import { listReports, routePeriods } from "../catalogue/route-data.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { forbidden, notFound } from "../errors.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Access } from "./access.ts";
import { accessOf, findEntitlement, openedBy } from "./entitlement.server.ts";

type World = Pick<Context, "db" | "clock">;

export type PeriodAccess = { period: Period & DataAge; opened: boolean; access: Access };

/**
 * A period, and whether the account may read its reports. The rules are those of `readRouteData`.
 *
 * @throws not_found for a period of another route
 */
export const findPeriod = async (
  ctx: World,
  caller: Caller | null,
  { routeId, periodId }: { routeId: number; periodId: number },
): Promise<PeriodAccess> => {
  const today = dayOf(ctx.clock.now());
  const entitlement = await findEntitlement(ctx, caller, routeId);
  const periods = entitlement ? await routePeriods(ctx, routeId, openedBy(today, entitlement)) : [];
  const period = periods.find(({ id }) => id === periodId);
  if (!entitlement || !period) throw notFound("Period");
  const access = accessOf(today, caller, entitlement);
  return { period, opened: access.hasAccess && period.opened, access };
};

export type PeriodRequest = Omit<ReportFilter, "periodIds"> & { routeId: number; periodId: number };

/**
 * A page of a period's reports, newest first.
 *
 * @throws not_found
 * @throws forbidden without an active subscription that covers the period, and for a suspended account
 */
export const readPeriod = async (
  ctx: World,
  caller: Caller | null,
  { routeId, periodId, ...filter }: PeriodRequest,
  page: PageRequest,
): Promise<Page<Report>> => {
  const { opened } = await findPeriod(ctx, caller, { routeId, periodId });
  if (!opened) throw forbidden();
  return listReports(ctx, { ...filter, periodIds: [periodId] }, page);
};

/**
 * All reports in batches, so that a long period is never in memory as a whole.
 *
 * @throws as `readPeriod`, at the first batch
 */
export async function* readWholePeriod(
  ctx: World,
  caller: Caller | null,
  request: PeriodRequest,
  batchSize = 500,
): AsyncGenerator<Report[]> {
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await readPeriod(ctx, caller, request, { limit: batchSize, cursor });
    yield rows;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}
