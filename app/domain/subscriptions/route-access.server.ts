/** Which route data an account may read, and reading it. @spec Endpoints (/route-access, /api-routes-data) */
import type { Caller } from "../accounts/caller.ts";
import { browse } from "../catalogue/browse.server.ts";
import type { RouteFilter, RouteSummary } from "../catalogue/browse.ts";
import type { Report, ReportFilter } from "../catalogue/report.ts";
import {
  type ListedPeriod,
  listReports,
  type RouteRecord,
  routePeriods,
  routeRecord,
} from "../catalogue/route-data.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { forbidden, notFound } from "../errors.ts";
import type { Page, PageRequest } from "../page.ts";
import { type Access, accessOn } from "./access.ts";
import { findEntitlement, runningPeriodIds } from "./entitlement.server.ts";

type World = Pick<Context, "db" | "clock">;

/** The catalogue in order of name, with `hasAccess` for each route. */
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
 * Access to each of these routes, in the given order.
 *
 * @throws not_found naming the first route that does not exist
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
  periods: ListedPeriod[];
  reports: Page<Report>;
};

export type RouteDataRequest = PageRequest &
  Omit<ReportFilter, "periodIds"> & { id: number; periodId?: number | undefined };

/**
 * Checks access and returns the version of the data, with a function that reads it: clients that have this version skip
 * the reading. The version is made of everything that determines the data, so equal versions mean equal data.
 *
 * @throws not_found
 * @throws forbidden without a running subscription, for a suspended account, and from `read` for a period that is not covered
 */
export const openRouteData = async (
  ctx: World,
  caller: Caller,
  { id, periodId, limit, cursor, ...filter }: RouteDataRequest,
): Promise<{ version: string; read: () => Promise<RouteData> }> => {
  const today = dayOf(ctx.clock.now());
  const entitlement = await findEntitlement(ctx, caller, id);
  if (!entitlement) throw notFound("Route");
  const access = accessOn(today, caller.account.standing, entitlement.subscriptions);
  if (!access.hasAccess) throw forbidden();
  const subscribed = runningPeriodIds(today, entitlement);
  return {
    version: JSON.stringify([
      ...[id, entitlement.version, entitlement.updatedAt, entitlement.stalePeriodIds, today, access, subscribed],
      ...[periodId, filter.type, filter.serviceLevel, filter.equipmentTypes, filter.from, filter.to, limit, cursor],
    ]),
    // The data may already be newer than the version. That is safe: the next request computes a new version.
    read: async () => {
      const [record, periods] = await Promise.all([routeRecord(ctx, id), routePeriods(ctx, id, subscribed)]);
      const opened = periods.filter((period) => period.opened).map((period) => period.id);
      if (periodId !== undefined && !opened.includes(periodId)) throw forbidden();
      const periodIds = periodId === undefined ? opened : [periodId];
      return { record, access, periods, reports: await listReports(ctx, { ...filter, periodIds }, { limit, cursor }) };
    },
  };
};

/** @throws as `openRouteData` */
export const readRouteData = async (ctx: World, caller: Caller, request: RouteDataRequest): Promise<RouteData> =>
  (await openRouteData(ctx, caller, request)).read();

/** Access to each of these routes, by id. Routes that do not exist are left out. */
export const accessToRoutes = async (ctx: World, caller: Caller, routeIds: number[]): Promise<Map<number, Access>> => {
  const today = dayOf(ctx.clock.now());
  const entitlements = await Promise.all(routeIds.map((id) => findEntitlement(ctx, caller, id)));
  return new Map(
    routeIds.flatMap((id, index) => {
      const entitlement = entitlements[index];
      return entitlement ? [[id, accessOn(today, caller.account.standing, entitlement.subscriptions)] as const] : [];
    }),
  );
};
