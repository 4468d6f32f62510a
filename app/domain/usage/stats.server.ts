import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { dayOf, startOf } from "../dates.ts";
import { type Spend, spendOf } from "../payments/spend.server.ts";
import { listStatuses } from "../subscriptions/list.server.ts";
import { type SubscriptionStatus, subscriptionStatuses } from "../subscriptions/status.ts";
import { firstRecentDay } from "./policy.ts";
import { type Quota, readQuota } from "./quota.server.ts";
import { type RecentUsage, recentUsageOf } from "./stats-queries.server.ts";

export type AccountStats = RecentUsage & {
  subscriptions: Record<SubscriptionStatus, number>;
  spend: Spend;
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
  const [subscriptions, spend, usage, quota] = await Promise.all([
    listStatuses(ctx, caller),
    spendOf(ctx, caller, { since: startOf(firstDay) }),
    recentUsageOf(ctx.db, accountId, today, firstDay),
    readQuota(ctx, caller.account),
  ]);
  return { subscriptions: countByStatus(subscriptions), spend, ...usage, quota };
};

const countByStatus = (subscriptions: { status: SubscriptionStatus }[]): Record<SubscriptionStatus, number> => {
  const count = (status: SubscriptionStatus) => subscriptions.filter((one) => one.status === status).length;
  return Object.fromEntries(subscriptionStatuses.map((status) => [status, count(status)])) as Record<
    SubscriptionStatus,
    number
  >;
};
