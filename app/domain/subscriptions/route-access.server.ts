/** The catalogue as an account sees it: what it may read, and reading it. @spec Endpoints (/route-access, /api-routes-data) */
import type { Caller } from "../accounts/caller.ts";
import { browse } from "../catalogue/browse.server.ts";
import type { RouteFilter, RouteSummary } from "../catalogue/browse.ts";
import type { Period } from "../catalogue/period.ts";
import type { Report } from "../catalogue/report.ts";
import { listReports, type RouteRecord, routePeriods, routeRecord } from "../catalogue/route-data.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { forbidden, notFound } from "../errors.ts";
import type { Page, PageRequest } from "../page.ts";
import { type Access, accessOn } from "./access.ts";
import { findEntitlement, runningPeriodIds } from "./entitlement.server.ts";

type World = Pick<Context, "db" | "clock">;

/** The catalogue by name, with `hasAccess` for each route. */
export const browseWithAccess = async (
  ctx: World,
  caller: Caller,
  filter: RouteFilter,
  page: PageRequest,
): Promise<Page<RouteSummary & { hasAccess: boolean }>> => {
  const { rows, nextCursor } = await browse(ctx, filter, page);
  const access = await accessToRoutes(
    ctx,
    caller,
    rows.map(({ id }) => id),
  );
  return { rows: rows.map((route) => ({ ...route, hasAccess: access.get(route.id)?.hasAccess ?? false })), nextCursor };
};

/**
 * Access to each of these routes, in their order.
 *
 * @throws not_found naming a route that does not exist
 */
export const checkAccess = async (
  ctx: World,
  caller: Caller,
  routeIds: number[],
): Promise<(Access & { routeId: number })[]> => {
  const access = await accessToRoutes(ctx, caller, routeIds);
  return routeIds.map((routeId) => {
    const found = access.get(routeId);
    if (!found) throw notFound(`Route ${routeId}`);
    return { routeId, ...found };
  });
};

export type RouteData = {
  record: RouteRecord;
  access: Access;
  periods: (Period & { opened: boolean })[];
  reports: Page<Report>;
};

export type RouteDataRequest = PageRequest & {
  id: number;
  periodId?: number | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
};

/**
 * All that a subscription opens, to be read by those who have not got this version of it. While the version's name is the
 * same, so is the data: it says what the data was made from.
 *
 * @throws not_found
 * @throws forbidden without a running subscription, for a period it does not open (when read), and for a suspended account
 */
export const openRouteData = async (
  ctx: World,
  caller: Caller,
  { id, ...request }: RouteDataRequest,
): Promise<{ version: string; read: () => Promise<RouteData> }> => {
  const today = dayOf(ctx.clock.now());
  const holding = await findEntitlement(ctx, caller, id);
  if (!holding) throw notFound("Route");
  const access = accessOn(today, caller.account.standing, holding.subscriptions);
  if (!access.hasAccess) throw forbidden();
  const subscribed = runningPeriodIds(today, holding);
  const { periodId, from, to, limit, cursor } = request;
  return {
    version: JSON.stringify([
      ...[id, holding.version, holding.updatedAt, today, access, subscribed],
      ...[periodId, from, to, limit, cursor],
    ]),
    // What is read from here on is of that version, or newer: then nobody is given it under this name again.
    read: async () => {
      const [record, periods] = await Promise.all([routeRecord(ctx, id), routePeriods(ctx, id, subscribed)]);
      const opened = periods.filter((period) => period.opened).map((period) => period.id);
      if (periodId !== undefined && !opened.includes(periodId)) throw forbidden();
      const periodIds = periodId === undefined ? opened : [periodId];
      return { record, access, periods, reports: await listReports(ctx, { periodIds, from, to }, { limit, cursor }) };
    },
  };
};

/** @throws as `openRouteData` */
export const readRouteData = async (ctx: World, caller: Caller, request: RouteDataRequest): Promise<RouteData> =>
  (await openRouteData(ctx, caller, request)).read();

/** Access to each of these routes, by id; those that do not exist are left out. */
export const accessToRoutes = async (ctx: World, caller: Caller, routeIds: number[]): Promise<Map<number, Access>> => {
  const today = dayOf(ctx.clock.now());
  const holdings = await Promise.all(routeIds.map((id) => findEntitlement(ctx, caller, id)));
  return new Map(
    routeIds.flatMap((id, index) => {
      const holding = holdings[index];
      return holding ? [[id, accessOn(today, caller.account.standing, holding.subscriptions)] as const] : [];
    }),
  );
};
