import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import type { Page, PageRequest } from "../page.ts";
import type { CatalogueReader } from "./as-of.server.ts";
import { type Named, type RouteFilter, type RouteLabel, type RouteSummary, withLevelsAndPeriods } from "./browse.ts";
import { dataAge } from "./freshness.ts";
import type { PricedPeriod } from "./priced-period.ts";
import * as queries from "./queries.server.ts";
import { searchRoutes } from "./search.server.ts";
import { asSearch, type RouteOrder } from "./search.ts";

/**
 * Lists the public catalogue: by name, or the best match first if there are words.
 *
 * @throws invalid for a cursor of another list or order
 */
export const browse = (
  ctx: Pick<Context, "db" | "clock">,
  { sort, ...filter }: RouteFilter & { sort?: RouteOrder | undefined },
  page: PageRequest,
): Promise<Page<RouteSummary>> => searchRoutes(ctx, { ...asSearch(filter), sort }, page);

/** Without the search index. @returns null without such a route */
export const findRouteId = (ctx: Pick<Context, "db">, code: string): Promise<number | null> =>
  queries.findRouteId(ctx.db, code);

/** Code and name of these routes, by id. Unknown ids are left out. */
export const routeNames = async (ctx: Pick<Context, "db">, ids: number[]): Promise<Map<number, Named>> =>
  new Map((await queries.findRouteNames(ctx.db, ids)).map((route) => [route.id, route]));

/** What a list says of these routes, by id. Unknown ids are left out. */
export const routeLabels = async (ctx: Pick<Context, "db">, ids: number[]): Promise<Map<number, RouteLabel>> =>
  new Map((await queries.findRouteLabels(ctx.db, ids)).map((route) => [route.id, route]));

/** The public data of these routes. Unknown ids are left out. */
export const summariesOf = async (ctx: CatalogueReader, ids: number[]): Promise<RouteSummary[]> => {
  if (ids.length === 0) return [];
  const now = ctx.clock.now();
  const [rows, levels, periods] = await Promise.all([
    queries.findSummaries(ctx.db, ids),
    queries.levelsOf(ctx.db, ids),
    queries.periodsOnSale(ctx.db, ids, dayOf(now)),
  ]);
  return withLevelsAndPeriods(
    rows,
    levels,
    periods.map((period) => ({ ...period, ...dataAge(period, now) })),
  );
};

/** These periods, with the factors of their prices. */
export const pricedPeriods = (ctx: Pick<Context, "db" | "clock">, ids: number[]): Promise<PricedPeriod[]> =>
  queries.findPricedPeriods(ctx.db, ids, dayOf(ctx.clock.now()));

/** All periods of these routes, whether they are on sale or not, with what their prices are made of. */
export const pricedPeriodsOfRoutes = (
  ctx: Pick<Context, "db" | "clock">,
  routeIds: number[],
): Promise<PricedPeriod[]> => queries.pricedPeriodsOf(ctx.db, routeIds, dayOf(ctx.clock.now()));
