/** How the periods of a route follow one another, and how old their data may be: by operators and by `npm run catalogue`. */
import { recordCatalogueAudit } from "../accounts/audit.server.ts";
import type { CatalogueEditor } from "../accounts/caller.ts";
import * as periods from "../catalogue/period-changes.server.ts";
import type { Context } from "../context.ts";
import type { Day } from "../dates.ts";
import { validate } from "../input.ts";
import { findExisting, inCatalogue } from "./change-records.server.ts";
import { lanePromise, policyChoice } from "./period-forms.ts";
import type { RecordValues } from "./records.ts";

type World = Pick<Context, "db" | "clock">;

/**
 * Ends an open period before its time, as `closePeriod` of the catalogue does.
 *
 * @throws not_found
 * @throws conflict
 * @throws invalid
 */
export const closePeriod = (
  ctx: World,
  by: CatalogueEditor,
  closing: { id: number; endsOn: Day; opensNext: boolean },
): Promise<void> =>
  inCatalogue(ctx, async (tx) => {
    const now = ctx.clock.now();
    const period = await periods.closePeriod(tx, closing, now);
    const details = { period, ends_on: closing.endsOn, opens_next: closing.opensNext };
    await recordCatalogueAudit(tx, by, "period.closed", now, details);
  });

/**
 * Decides when the open period of a route gives way to the next one. The next hourly run applies it. The value is `policy`.
 *
 * @throws not_found
 * @throws invalid for an unknown policy
 */
export const setPeriodPolicy = (
  ctx: World,
  by: CatalogueEditor,
  { code, values }: { code: string; values: RecordValues },
): Promise<void> =>
  inCatalogue(ctx, async (tx) => {
    const { policy } = validate(policyChoice, values);
    const { id } = await findExisting(tx, "route", code);
    const now = ctx.clock.now();
    await periods.setPeriodPolicy(tx, id, policy, now);
    await recordCatalogueAudit(tx, by, "route.period_policy_set", now, { code, policy });
  });

/**
 * Sets how old data may be on all routes of a trade lane, and the freshness of the periods that the scheduler opens. Empty
 * values stand for the service's own limits, and for the freshness of the period before. The values are named as in
 * `lanePromise`.
 *
 * @throws not_found
 * @throws invalid for each wrong value
 */
export const setLanePromise = (
  ctx: World,
  by: CatalogueEditor,
  { code, values }: { code: string; values: RecordValues },
): Promise<void> =>
  inCatalogue(ctx, async (tx) => {
    const promise = validate(lanePromise, values);
    const { id } = await findExisting(tx, "trade_lane", code);
    const now = ctx.clock.now();
    const ages = {
      realTimeMinutes: promise.real_time_minutes,
      dailyMinutes: promise.daily_minutes,
      weeklyMinutes: promise.weekly_minutes,
    };
    await periods.setLanePromise(tx, id, { ...ages, periodFreshness: promise.period_freshness }, now);
    await recordCatalogueAudit(tx, by, "trade_lane.promise_set", now, { code, ...promise });
  });
