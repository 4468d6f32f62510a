/** A benchmark of the rates of one week on a trade lane, and its changes. */
import { addDays, type Day } from "../dates.ts";
import {
  averagedRoutes,
  fewestCarriers,
  fewestRoutes,
  highPercentile,
  largestCarrierShare,
  lowPercentile,
  significantDigits,
} from "./policy.ts";

/** The rate of one route in a week, surcharges included. */
export type RouteRate = { carrierId: number; allInCents: number };

export type Benchmark = {
  lowCents: number;
  medianCents: number;
  highCents: number;
  routeCount: number;
  carrierCount: number;
};

/** Null: there are too few routes or carriers, so that the benchmark would reveal somebody's rates. */
export const benchmarkOf = (rates: readonly RouteRate[]): Benchmark | null => {
  const routesByCarrier = new Map<number, number>();
  for (const { carrierId } of rates) routesByCarrier.set(carrierId, (routesByCarrier.get(carrierId) ?? 0) + 1);
  const largest = Math.max(0, ...routesByCarrier.values());
  if (rates.length < fewestRoutes || routesByCarrier.size < fewestCarriers) return null;
  if (largest > rates.length * largestCarrierShare) return null;
  const sorted = rates.map(({ allInCents }) => allInCents).sort((a, b) => a - b);
  return {
    lowCents: averageAround(sorted, lowPercentile),
    medianCents: averageAround(sorted, 50),
    highCents: averageAround(sorted, highPercentile),
    routeCount: rates.length,
    carrierCount: routesByCarrier.size,
  };
};

/** The average of the rates around a percentile, rounded. The median of an even number is between two rates. */
const averageAround = (sorted: readonly number[], percentile: number): number => {
  const count = percentile === 50 && sorted.length % 2 === 0 ? averagedRoutes + 1 : averagedRoutes;
  const first = Math.round((percentile / 100) * (sorted.length - 1) - (count - 1) / 2);
  const from = Math.min(Math.max(first, 0), sorted.length - count);
  const around = sorted.slice(from, from + count);
  return rounded(around.reduce((sum, cents) => sum + cents, 0) / count);
};

const rounded = (cents: number): number => Number(Math.round(cents).toPrecision(significantDigits));

/** In percent, to a tenth. Null: there is nothing to compare with. */
export const changePercent = (before: number | null | undefined, now: number | null | undefined): number | null =>
  before && now ? Math.round((now / before - 1) * 1000) / 10 : null;

/** The Monday of a day's week. */
export const weekOf = (day: Day): Day => {
  const weekday = new Date(day).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
};

export const addWeeks = (week: Day, weeks: number): Day => addDays(week, 7 * weeks);
