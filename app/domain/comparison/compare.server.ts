/** Comparing the routes between two ports, and an account's routes with their markets. */
import type { Caller } from "../accounts/caller.ts";
import { markets } from "../benchmarks/read.server.ts";
import { routeLabels } from "../catalogue/browse.server.ts";
import type { RouteLabel } from "../catalogue/browse.ts";
import {
  capacityNow,
  latestOnTimePercent,
  latestRates,
  transitTimes,
} from "../catalogue/latest-observations.server.ts";
import type { Context } from "../context.ts";
import { groupBy } from "../group-by.ts";
import { largestPageSize } from "../page-size.ts";
import { nextDepartures } from "../schedules/list.server.ts";
import { subscribedRouteIds } from "../subscriptions/entitlement.server.ts";
import { accessToRoutes, browseForAccount, openPeriodIds } from "../subscriptions/route-access.server.ts";
import { type ComparedRoute, type ComparisonOrder, inOrder } from "./compare.ts";
import { type ComparedRate, comparedRate } from "./compared-rate.ts";

type World = Pick<Context, "db" | "clock">;

export type ComparisonRequest = {
  /** Any code of the port. */
  origin: string;
  destination: string;
  /** Leaves out cargo other than containers, and rates of other containers. */
  equipmentType?: string | undefined;
  /** The container type whose rates decide the order, if all are asked for. */
  rankedEquipmentType?: string | undefined;
  sort?: ComparisonOrder | undefined;
};

/**
 * All routes between two ports: with their data where the account may read it, and with public facts otherwise.
 *
 * @param caller null for a visitor
 */
export const compareRoutes = async (
  ctx: World,
  caller: Caller | null,
  { origin, destination, equipmentType, rankedEquipmentType = equipmentType, sort = "all_in" }: ComparisonRequest,
): Promise<ComparedRoute[]> => {
  const filter = { origin, destination, ...(equipmentType === undefined ? {} : { cargo_type: "container" as const }) };
  const { rows } = await browseForAccount(ctx, caller, filter, { limit: largestPageSize });
  const ids = rows.map(({ id }) => id);
  const open = rows.filter(({ hasAccess }) => hasAccess);
  const openIds = open.map(({ id }) => id);
  const periodIds = openPeriodIds(ctx, caller, openIds);
  const [access, rates, onTime, capacity, transit, departures] = await Promise.all([
    accessToRoutes(ctx, caller, ids),
    ratesOf(ctx, caller, open, periodIds),
    periodIds.then((ids) => latestOnTimePercent(ctx, [...ids.values()].flat())),
    capacityNow(ctx, openIds),
    transitTimes(ctx, openIds),
    nextDepartures(ctx, openIds),
  ]);
  const compared = rows.flatMap((route): ComparedRoute[] => {
    const why = access.get(route.id);
    if (!why) return [];
    if (!why.hasAccess) return [{ route, access: why, data: null }];
    const own = rates.get(route.id) ?? [];
    return [
      {
        route,
        access: why,
        data: {
          rates: equipmentType === undefined ? own : own.filter((rate) => rate.equipmentType === equipmentType),
          transit: transit.filter(({ routeId }) => routeId === route.id),
          nextDeparture: departures.get(route.id) ?? null,
          onTimePercent: onTime.get(route.id) ?? null,
          capacity: capacity.get(route.id) ?? null,
        },
      },
    ];
  });
  return inOrder(compared, sort, rankedEquipmentType);
};

export type RouteAgainstMarket = { route: RouteLabel; rate: ComparedRate };

/**
 * The latest rates of all routes to which the account has an active subscription, each with the benchmark of its trade
 * lane. Those furthest above the market come first, rates without a benchmark last.
 */
export const routesAgainstMarket = async (ctx: World, caller: Caller): Promise<RouteAgainstMarket[]> => {
  const ids = await subscribedRouteIds(ctx, caller);
  const periodIds = openPeriodIds(ctx, caller, ids);
  const [labels] = await Promise.all([routeLabels(ctx, ids), periodIds]);
  const routes = [...labels.values()];
  const rates = await ratesOf(ctx, caller, routes, periodIds);
  return routes
    .flatMap((route) => (rates.get(route.id) ?? []).map((rate) => ({ route, rate })))
    .toSorted(
      (a, b) =>
        (b.rate.againstMedianPercent ?? Number.NEGATIVE_INFINITY) -
          (a.rate.againstMedianPercent ?? Number.NEGATIVE_INFINITY) || (a.route.name < b.route.name ? -1 : 1),
    );
};

/** The latest rates of routes with access, by route. */
const ratesOf = async (
  ctx: World,
  caller: Caller | null,
  routes: readonly Pick<RouteLabel, "id" | "tradeLane" | "cargoType">[],
  periodIdsByRoute: ReturnType<typeof openPeriodIds>,
): Promise<Map<number, ComparedRate[]>> => {
  const laneIds = [...new Set(routes.map(({ tradeLane }) => tradeLane.id))];
  const [rates, lanes] = await Promise.all([
    periodIdsByRoute.then((ids) => latestRates(ctx, [...ids.values()].flat())),
    markets(ctx, caller, laneIds),
  ]);
  const routeById = new Map(routes.map((route) => [route.id, route]));
  const compared = rates.flatMap((rate) => {
    const route = routeById.get(rate.routeId);
    return route ? [comparedRate(rate, route, lanes)] : [];
  });
  return groupBy(compared, ({ routeId }) => routeId);
};
