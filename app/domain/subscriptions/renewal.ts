/**
 * The rules of renewal: which subscriptions renew by themselves, and when they are charged.
 * `renewal-condition.server.ts` states the first one in SQL.
 *
 * @spec Subscription, rule 5
 */
import type { Standing } from "../accounts/caller.ts";
import { addDays, type Day } from "../dates.ts";
import { smallestChargeCents } from "../payments/order.ts";
import type { QuoteLine } from "../pricing/quote.ts";
import { chargeDaysBeforeEnd } from "./policy.ts";
import type { SubscriptionRow } from "./subscription.ts";

/** Whether auto-renewal is on. A cancelled subscription keeps its setting, so that resuming restores it. */
export const isAutoRenewalOn = (subscription: Pick<SubscriptionRow, "autoRenew" | "cancelledAt">): boolean =>
  subscription.autoRenew && subscription.cancelledAt === null;

/** Whether a running subscription renews by itself: suspended accounts are not charged. */
export const renews = (
  subscription: Pick<SubscriptionRow, "autoRenew" | "cancelledAt">,
  account: { standing: Standing },
): boolean => isAutoRenewalOn(subscription) && account.standing === "good";

/** The latest attempt to charge the renewal that moves the present end date. */
export type LatestAttempt = { attemptedOn: Day; state: "pending" | "succeeded" | "declined" };

/**
 * The day of the next attempt to charge the renewal: `chargeDaysBeforeEnd` before the end, or today if that day has
 * passed; after a decline, the following day. Null once no day is left before the end.
 */
export const nextAttempt = (today: Day, endDate: Day, latest: LatestAttempt | null): Day | null => {
  if (latest?.state === "succeeded") return null;
  const chargeDate = addDays(endDate, -chargeDaysBeforeEnd);
  const due = chargeDate < today ? today : chargeDate;
  const triedAlready = latest?.state === "declined" && latest.attemptedOn >= due;
  const day = triedAlready ? addDays(latest.attemptedOn, 1) : due;
  return day < endDate ? day : null;
};

/** Whether a quote can be charged: there is a period on sale, and cards accept the amount. */
export const isChargeable = (quote: QuoteLine | null): quote is QuoteLine =>
  quote !== null && quote.totalCents >= smallestChargeCents;
