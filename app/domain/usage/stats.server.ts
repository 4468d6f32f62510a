import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { dayOf, startOf } from "../dates.ts";
import { type Spend, spendOf } from "../payments/spend.server.ts";
import { listSubscriptions } from "../subscriptions/list.server.ts";
import { type SubscriptionStatus, subscriptionStatuses } from "../subscriptions/status.ts";
import { durationSample, firstRecentDay, topCount } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { type Quota, readQuota } from "./quota.server.ts";
import type { UsageTotals } from "./usage-record.ts";

export type AccountStats = {
  subscriptions: Record<SubscriptionStatus, number>;
  spend: Spend;
  today: UsageTotals;
  lastDays: UsageTotals;
  /** In milliseconds. Null without requests. */
  durationMs: { p50: number | null; p95: number | null };
  topRoutes: { id: number; code: string; name: string; requests: number }[];
  /** Deleted keys included. */
  topKeys: { id: number; name: string; requests: number }[];
  quota: Quota;
};

/**
 * Subscriptions, spend and usage of the account.
 *
 * @spec Endpoints (GET /subscriptions/my-stats)
 */
export const accountStats = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter">,
  caller: Caller,
): Promise<AccountStats> => {
  const accountId = caller.account.id;
  const today = dayOf(ctx.clock.now());
  const firstDay = firstRecentDay(today);
  const [subscriptions, spend, todaysTotals, lastDays, durationMs, topRoutes, topKeys, quota] = await Promise.all([
    listSubscriptions(ctx, caller),
    spendOf(ctx, caller, { since: startOf(firstDay) }),
    queries.totalsSince(ctx.db, accountId, startOf(today)),
    queries.totalsSince(ctx.db, accountId, startOf(firstDay)),
    queries.durationsWithin(ctx.db, accountId, { from: startOf(firstDay) }, durationSample),
    queries.topRoutes(ctx.db, accountId, firstDay, topCount),
    queries.topKeys(ctx.db, accountId, firstDay, topCount),
    readQuota(ctx, caller.account),
  ]);
  return {
    subscriptions: countByStatus(subscriptions),
    spend,
    today: todaysTotals,
    lastDays,
    durationMs,
    topRoutes,
    topKeys,
    quota,
  };
};

const countByStatus = (subscriptions: { status: SubscriptionStatus }[]): Record<SubscriptionStatus, number> => {
  const count = (status: SubscriptionStatus) => subscriptions.filter((one) => one.status === status).length;
  return Object.fromEntries(subscriptionStatuses.map((status) => [status, count(status)])) as Record<
    SubscriptionStatus,
    number
  >;
};
