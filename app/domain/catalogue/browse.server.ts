import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { groupBy } from "../group-by.ts";
import { type Page, type PageRequest, pageOf } from "../page.ts";
import { type RouteFilter, type RouteSummary, routeCursor } from "./browse.ts";
import { dataAge } from "./freshness.ts";
import type { PricedPeriod } from "./priced-period.ts";
import * as queries from "./queries.server.ts";

/**
 * Lists the public catalogue by name.
 *
 * @throws invalid for a cursor of another list
 */
export const browse = async (
  ctx: Pick<Context, "db" | "clock">,
  filter: RouteFilter,
  page: PageRequest,
): Promise<Page<RouteSummary>> => {
  const found = await queries.searchRoutes(ctx.db, filter, {
    today: dayOf(ctx.clock.now()),
    limit: page.limit,
    after: routeCursor.read(page.cursor),
  });
  const { rows, nextCursor } = pageOf(found, page.limit, (last) => routeCursor.write([last.name, last.id]));
  return { rows: await complete(ctx, rows), nextCursor };
};

/** The public data of these routes. Unknown ids are left out. */
export const summariesOf = async (ctx: Pick<Context, "db" | "clock">, ids: number[]): Promise<RouteSummary[]> =>
  complete(ctx, await queries.findSummaries(ctx.db, ids));

/** These periods, with the factors of their prices. */
export const pricedPeriods = (ctx: Pick<Context, "db" | "clock">, ids: number[]): Promise<PricedPeriod[]> =>
  queries.findPricedPeriods(ctx.db, ids, dayOf(ctx.clock.now()));

/** All periods of these routes, whether they are on sale or not, with what their prices are made of. */
export const pricedPeriodsOfRoutes = (
  ctx: Pick<Context, "db" | "clock">,
  routeIds: number[],
): Promise<PricedPeriod[]> => queries.pricedPeriodsOf(ctx.db, routeIds, dayOf(ctx.clock.now()));

const complete = async (
  ctx: Pick<Context, "db" | "clock">,
  rows: Omit<RouteSummary, "serviceLevels" | "transitDays" | "periods">[],
): Promise<RouteSummary[]> => {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const now = ctx.clock.now();
  const [levels, periods] = await Promise.all([
    queries.levelsOf(ctx.db, ids),
    queries.periodsOnSale(ctx.db, ids, dayOf(now)),
  ]);
  const levelsByRoute = groupBy(levels, ({ routeId }) => routeId);
  const periodsByRoute = groupBy(periods, ({ routeId }) => routeId);
  return rows.map((row) => {
    const own = levelsByRoute.get(row.id) ?? [];
    const days = own.map(({ transitDays }) => transitDays);
    return {
      ...row,
      serviceLevels: own.map(({ level }) => level),
      transitDays: { min: Math.min(...days), max: Math.max(...days) },
      periods: (periodsByRoute.get(row.id) ?? []).map((period) => ({ ...period, ...dataAge(period, now) })),
    };
  });
};
