/** Routes between two ports, side by side. */
import type { ObservedCapacity, TransitTime } from "../catalogue/latest-observations.server.ts";
import type { Sailing } from "../schedules/sailing.ts";
import type { Access } from "../subscriptions/access.ts";
import type { RouteForAccount } from "../subscriptions/route-access.server.ts";
import { type ComparedRate, mainRate } from "./compared-rate.ts";

export type ComparedRoute = {
  route: RouteForAccount;
  access: Access;
  /** Null without access. */
  data: ComparedData | null;
};

export type ComparedData = {
  /** The latest of each equipment type and service level. */
  rates: ComparedRate[];
  transit: Pick<TransitTime, "level" | "transitDays">[];
  /** Null: none is published. */
  nextDeparture: Sailing | null;
  onTimePercent: number | null;
  capacity: ObservedCapacity | null;
};

export const comparisonOrders = ["all_in", "transit", "departures", "on_time", "space", "trend"] as const;
export type ComparisonOrder = (typeof comparisonOrders)[number];

/** Orders by public figures, which locked routes have too. */
export const publicOrders = ["transit", "departures"] as const satisfies readonly ComparisonOrder[];

const isPublicOrder = (order: ComparisonOrder): boolean => publicOrders.some((each) => each === order);

/** What a subscription adds to a locked row, by the names of the API. */
export const comparedFields = ["rates", "transit", "next_departure", "on_time_percent", "capacity"] as const;

/** The best first, and routes without the figure after them. Locked routes are last: in public orders the best first. */
export const inOrder = (
  routes: readonly ComparedRoute[],
  order: ComparisonOrder,
  equipmentType?: string,
): ComparedRoute[] => {
  const rank = (compared: ComparedRoute): number => rankOf[order](compared, equipmentType) ?? Number.MAX_VALUE;
  return routes.toSorted(
    (a, b) =>
      Number(a.data === null) - Number(b.data === null) ||
      ((a.data && b.data) || isPublicOrder(order) ? rank(a) - rank(b) : 0) ||
      (a.route.name < b.route.name ? -1 : a.route.name > b.route.name ? 1 : a.route.id - b.route.id),
  );
};

const rateOf = ({ route, data }: ComparedRoute, equipmentType?: string) =>
  data ? mainRate(data.rates, route.cargoType, equipmentType) : undefined;

const negative = (value: number | null | undefined): number | null => (value == null ? null : -value);

const rankOf: Record<ComparisonOrder, (compared: ComparedRoute, equipmentType?: string) => number | null> = {
  all_in: (compared, equipmentType) => rateOf(compared, equipmentType)?.allInCents ?? null,
  trend: (compared, equipmentType) => rateOf(compared, equipmentType)?.change4WeeksPercent ?? null,
  transit: ({ route }) => route.transitDays.min,
  departures: ({ route }) => -route.sailingsPerWeek,
  on_time: ({ data }) => negative(data?.onTimePercent),
  space: ({ data }) => negative(data?.capacity && data.capacity.available / Math.max(1, data.capacity.nominal)),
};
