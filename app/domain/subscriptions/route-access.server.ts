/** The catalogue as an account sees it: what it may read, and reading it. @spec Endpoints (/route-access, /api-routes-data) */
import type { Caller } from "../accounts/caller.ts";
import { browse, existingRoutes } from "../catalogue/browse.server.ts";
import type { RouteFilter, RouteSummary } from "../catalogue/browse.ts";
import type { Period } from "../catalogue/period.ts";
import type { Report } from "../catalogue/report.ts";
import { listReports, type RouteRecord, routePeriods, routeRecord } from "../catalogue/route-data.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { forbidden, notFound } from "../errors.ts";
import { groupBy } from "../group-by.ts";
import type { Page, PageRequest } from "../page.ts";
import { type Access, accessOn } from "./access.ts";
import * as queries from "./queries.server.ts";
import { isRunning, statusOn } from "./status.ts";

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
  const existing = await existingRoutes(ctx, routeIds);
  const unknown = routeIds.find((id) => !existing.has(id));
  if (unknown !== undefined) throw notFound(`Route ${unknown}`);
  const access = await accessToRoutes(ctx, caller, routeIds);
  return routeIds.map((routeId) => ({ routeId, ...(access.get(routeId) as Access) }));
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
 * All that a subscription opens.
 *
 * @throws not_found
 * @throws forbidden without a running subscription, for a period it does not open, and for a suspended account
 */
export const readRouteData = async (ctx: World, caller: Caller, request: RouteDataRequest): Promise<RouteData> => {
  const today = dayOf(ctx.clock.now());
  const subscribed = queries.ofRoutes(ctx.db, caller.account.id, [request.id]);
  const [record, subscriptions, periods] = await Promise.all([
    routeRecord(ctx, request.id),
    subscribed,
    subscribed.then((all) => {
      const running = all.filter((subscription) => isRunning(statusOn(today, subscription)));
      return routePeriods(
        ctx,
        request.id,
        running.map(({ periodId }) => periodId),
      );
    }),
  ]);
  const access = accessOn(today, caller.account.standing, subscriptions);
  if (!access.hasAccess) throw forbidden();
  const opened = periods.filter((period) => period.opened).map(({ id }) => id);
  if (request.periodId !== undefined && !opened.includes(request.periodId)) throw forbidden();
  const reports = await listReports(
    ctx,
    { periodIds: request.periodId === undefined ? opened : [request.periodId], from: request.from, to: request.to },
    request,
  );
  return { record, access, periods, reports };
};

/** Access to each of these routes, by id. */
export const accessToRoutes = async (ctx: World, caller: Caller, routeIds: number[]): Promise<Map<number, Access>> => {
  const today = dayOf(ctx.clock.now());
  const subscriptions = routeIds.length === 0 ? [] : await queries.ofRoutes(ctx.db, caller.account.id, routeIds);
  const byRoute = groupBy(subscriptions, ({ routeId }) => routeId);
  return new Map(routeIds.map((id) => [id, accessOn(today, caller.account.standing, byRoute.get(id) ?? [])]));
};
