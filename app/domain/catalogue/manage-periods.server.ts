/** What operators change about periods. Every change is in the audit log. */
import { recordOperatorAudit } from "../accounts/audit.server.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import { lockCatalogue } from "./import-queries.server.ts";
import * as queries from "./period-queries.server.ts";
import { quarterOf } from "./quarter.ts";
import type { Freshness, PeriodPolicy } from "./route.ts";
import { nameAfterEnd, openingAfter } from "./succession.ts";
import { succeed } from "./turn-periods.server.ts";

type World = Pick<Context, "db" | "clock">;

/**
 * Ends an open period before its time. Its subscriptions go on with the next period, if one opens.
 *
 * @param endsOn its first day without data, today or later
 * @param opensNext whether the next period begins on that day
 * @throws not_found
 * @throws conflict for a period that has an end already
 * @throws invalid for a day before today, not after the period's start, or after its quarter
 */
export const closePeriod = (
  ctx: World,
  operator: OperatorCaller,
  { id, endsOn, opensNext }: { id: number; endsOn: Day; opensNext: boolean },
): Promise<void> =>
  changing(ctx, id, async (tx, period, now) => {
    if (period.endsOn !== null) throw conflict(`The period ends on ${period.endsOn} already`);
    const today = dayOf(now);
    if (endsOn < today) throw invalid("ends_on", `Not before today, ${today}`);
    if (endsOn <= period.startsOn) throw invalid("ends_on", `After the first day, ${period.startsOn}`);
    const { endsOn: quarterEnd } = quarterOf(period.startsOn);
    if (period.periodPolicy === "quarterly" && endsOn > quarterEnd) {
      throw invalid("ends_on", `Not after ${quarterEnd}, when its quarter ends`);
    }
    if (opensNext) await succeed(tx, [{ period, openings: [openingAfter(period, endsOn, period.nextFreshness)] }], now);
    else await queries.updatePeriod(tx, id, { endsOn, name: nameAfterEnd(period, endsOn) });
    const details = { period: period.code, ends_on: endsOn, opens_next: opensNext };
    await recordOperatorAudit(tx, operator, null, "period.closed", now, details);
  });

/**
 * Decides when the route's open period gives way to the next one. The next hourly run applies it.
 *
 * @throws not_found for an unknown period
 */
export const setPeriodPolicy = (
  ctx: World,
  operator: OperatorCaller,
  { id, policy }: { id: number; policy: PeriodPolicy },
): Promise<void> =>
  changing(ctx, id, async (tx, period, now) => {
    await queries.setPolicy(tx, period.routeId, policy);
    await recordOperatorAudit(tx, operator, null, "route.period_policy_set", now, { route_id: period.routeId, policy });
  });

export type LanePromise = {
  /** The maximum age of data, in minutes. Null: that of `maxAgeMinutes`. */
  realTimeMinutes: number | null;
  dailyMinutes: number | null;
  weeklyMinutes: number | null;
  /** The freshness of periods that the scheduler opens. Null: that of the period before. */
  periodFreshness: Freshness | null;
};

/**
 * Sets what the trade lane of a period promises about the age of its data. Applies to all routes of the lane at once.
 *
 * @throws not_found for an unknown period
 */
export const setLanePromise = (
  ctx: World,
  operator: OperatorCaller,
  { id, ...promise }: LanePromise & { id: number },
): Promise<void> =>
  changing(ctx, id, async (tx, period, now) => {
    await queries.setLanePromise(tx, period.tradeLaneId, promise);
    await queries.touchRoutes(tx, await queries.routesOfLane(tx, period.tradeLaneId), now);
    const details = {
      trade_lane_id: period.tradeLaneId,
      real_time_minutes: promise.realTimeMinutes,
      daily_minutes: promise.dailyMinutes,
      weekly_minutes: promise.weeklyMinutes,
      period_freshness: promise.periodFreshness,
    };
    await recordOperatorAudit(tx, operator, null, "trade_lane.promise_set", now, details);
  });

/** A change of one period, without concurrent turns or imports. Route documents then have a new version. */
const changing = (
  { db, clock }: World,
  id: number,
  change: (tx: Parameters<typeof lockCatalogue>[0], period: queries.LockedPeriod, now: Date) => Promise<void>,
): Promise<void> =>
  db.transaction(async (tx) => {
    await lockCatalogue(tx);
    const period = await queries.lockPeriod(tx, id);
    if (!period) throw notFound("Period");
    const now = clock.now();
    await change(tx, period, now);
    await queries.touchRoutes(tx, [period.routeId], now);
  });
