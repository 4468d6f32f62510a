/** Changes of periods, and of the rules by which they follow one another. The caller holds the catalogue's lock. */
import type { Tx } from "../../platform/db.server.ts";
import { type Day, dayOf } from "../dates.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import * as queries from "./period-queries.server.ts";
import { quarterOf } from "./quarter.ts";
import type { Freshness, PeriodPolicy } from "./route.ts";
import { nameAfterEnd, openingAfter } from "./succession.ts";
import { succeed } from "./turn-periods.server.ts";

/**
 * Ends an open period before its time. Its subscriptions continue with the next period, if one opens.
 *
 * @param endsOn its first day without data, today or later
 * @param opensNext whether the next period begins on that day
 * @returns the period's code
 * @throws not_found
 * @throws conflict for a period that has an end already
 * @throws invalid for a day before today, not after the period's start, or after its quarter
 */
export const closePeriod = async (
  tx: Tx,
  { id, endsOn, opensNext }: { id: number; endsOn: Day; opensNext: boolean },
  now: Date,
): Promise<string> => {
  const period = await queries.lockPeriod(tx, id);
  if (!period) throw notFound("Period");
  if (period.endsOn !== null) throw conflict(`The period already ends on ${period.endsOn}`);
  const today = dayOf(now);
  if (endsOn < today) throw invalid("ends_on", `Must not be before today, ${today}`);
  if (endsOn <= period.startsOn) throw invalid("ends_on", `Must be after the first day, ${period.startsOn}`);
  const { endsOn: quarterEnd } = quarterOf(period.startsOn);
  if (period.periodPolicy === "quarterly" && endsOn > quarterEnd) {
    throw invalid("ends_on", `Must not be after ${quarterEnd}, the end of its quarter`);
  }
  if (opensNext) await succeed(tx, [{ period, openings: [openingAfter(period, endsOn, period.nextFreshness)] }], now);
  else await queries.updatePeriod(tx, id, { endsOn, name: nameAfterEnd(period, endsOn) });
  await queries.touchRoutes(tx, [period.routeId], now);
  return period.code;
};

/** When the route's open period gives way to the next one. The next hourly run applies it. */
export const setPeriodPolicy = async (tx: Tx, routeId: number, policy: PeriodPolicy, now: Date): Promise<void> => {
  await queries.setPolicy(tx, routeId, policy);
  await queries.touchRoutes(tx, [routeId], now);
};

export type LanePromise = {
  /** The maximum age of data, in minutes. Null: that of `maxAgeMinutes`. */
  realTimeMinutes: number | null;
  dailyMinutes: number | null;
  weeklyMinutes: number | null;
  /** The freshness of periods that the scheduler opens. Null: that of the period before. */
  periodFreshness: Freshness | null;
};

/** The maximum data age of a trade lane. Applies to all its routes immediately. */
export const setLanePromise = async (tx: Tx, laneId: number, promise: LanePromise, now: Date): Promise<void> => {
  await queries.setLanePromise(tx, laneId, promise);
  await queries.touchRoutes(tx, await queries.routesOfLane(tx, laneId), now);
};
