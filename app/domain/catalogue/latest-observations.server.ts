/** What was last observed on several routes. The callers check access and name the periods that may be read. */
import type { Context } from "../context.ts";
import { addDays, dayOf, startOf } from "../dates.ts";
import * as queries from "./latest-observations-queries.server.ts";

export type { ObservedCapacity } from "./latest-observations-queries.server.ts";

/** Older rates and shares are not what a route offers now. */
const latestWithinDays = { rate: 91, performance: 183 };

const since = ({ clock }: Pick<Context, "clock">, days: number): Date => startOf(addDays(dayOf(clock.now()), -days));

export type LatestRate = queries.ObservedRate & {
  allInCents: number;
  /** The all-in rate four to six weeks before. Null: there was none. */
  earlierAllInCents: number | null;
};

/** The latest all-in rate of each route, equipment type and service level, with that of four weeks before. */
export const latestRates = async (ctx: Pick<Context, "db" | "clock">, periodIds: number[]): Promise<LatestRate[]> => {
  const rates = await queries.latestRatesSince(ctx.db, periodIds, since(ctx, latestWithinDays.rate + 42));
  const oldest = since(ctx, latestWithinDays.rate);
  return rates.flatMap(({ earlierAllInCents, ...rate }) =>
    rate.observedAt < oldest
      ? []
      : { ...rate, allInCents: rate.baseRateCents + rate.surchargesCents, earlierAllInCents },
  );
};

/** The share of arrivals on time in each route's latest report, by route. */
export const latestOnTimePercent = async (
  ctx: Pick<Context, "db" | "clock">,
  periodIds: number[],
): Promise<Map<number, number>> => {
  const rows = await queries.latestPerformance(ctx.db, periodIds, since(ctx, latestWithinDays.performance));
  return new Map(rows.map(({ routeId, onTimePercent }) => [routeId, onTimePercent]));
};

/** By route. */
export const capacityNow = async (
  ctx: Pick<Context, "db">,
  routeIds: number[],
): Promise<Map<number, queries.ObservedCapacity>> =>
  new Map((await queries.capacities(ctx.db, routeIds)).map((row) => [row.routeId, row]));

export type TransitTime = Awaited<ReturnType<typeof queries.transitTimes>>[number];

/** Of each route's service levels, express first. */
export const transitTimes = (ctx: Pick<Context, "db">, routeIds: number[]): Promise<TransitTime[]> =>
  queries.transitTimes(ctx.db, routeIds);
