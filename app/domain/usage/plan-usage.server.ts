import type { Caller } from "../accounts/caller.ts";
import { countKeys } from "../api-keys/manage.server.ts";
import type { Context } from "../context.ts";
import { addDays, dayOf, startOf } from "../dates.ts";
import { hourlyLimitOf } from "../plans/plans.ts";
import { quotaAlertAt } from "../rate-limit/policy.ts";
import { busyHourDays, firstRecentDay } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { type Quota, readQuota } from "./quota.server.ts";

/** How much of its plan's limits an account uses. */
export type PlanUsage = {
  quota: Quota;
  /** API keys, inactive ones included. */
  keys: number;
  /** The time of the oldest log record. Null if there are none. */
  oldestLogAt: Date | null;
  /** Within `recentDays`. Null without requests. */
  busiestHour: { hour: Date; requests: number } | null;
  /** Requests refused by the rate limit within `recentDays`. */
  rateLimited: number;
};

/** @spec Limits */
export const planUsage = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter">,
  caller: Caller,
): Promise<PlanUsage> => {
  const accountId = caller.account.id;
  const since = startOf(firstRecentDay(dayOf(ctx.clock.now())));
  const [quota, keys, oldestLogAt, busiestHour, { rateLimited }] = await Promise.all([
    readQuota(ctx, caller.account),
    countKeys(ctx, caller),
    queries.oldestLogAt(ctx.db, accountId),
    queries.busiestHourSince(ctx.db, accountId, since),
    queries.totalsSince(ctx.db, accountId, since),
  ]);
  return { quota, keys, oldestLogAt, busiestHour, rateLimited };
};

/** The hours of the last days that used 80% of the present hourly limit or more, newest first. @spec Limits */
export const busyHours = async (
  ctx: Pick<Context, "db" | "clock">,
  { account }: Caller,
): Promise<{ hour: Date; requests: number; percent: 80 | 100 }[]> => {
  const since = startOf(addDays(dayOf(ctx.clock.now()), 1 - busyHourDays));
  const limit = hourlyLimitOf(account);
  const hours = await queries.busyHoursSince(ctx.db, account.id, since, quotaAlertAt(limit));
  return hours.map((one) => ({ ...one, percent: one.requests >= limit ? 100 : 80 }));
};
