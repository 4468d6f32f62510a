/**
 * The rules of renewal: which subscriptions renew automatically, and when they are charged.
 * `renewal-condition.server.ts` states the first one in SQL.
 *
 * @spec Subscription, rule 5
 */
import type { Standing } from "../accounts/caller.ts";
import { addDays, type Day } from "../dates.ts";
import { smallestChargeCents } from "../payments/order.ts";
import type { QuoteLine } from "../pricing/quote.ts";
import type { RenewalPriceChange } from "../pricing/renewal-price-change.ts";
import { chargeDaysBeforeEnd } from "./policy.ts";
import { needsAuthentication, type RenewalFailure, renewalFailure } from "./renewal-failure.ts";
import type { SubscriptionRow } from "./subscription.ts";

/** Whether auto-renewal is on. A cancelled subscription keeps its setting, so that resuming restores it. */
export const isAutoRenewalOn = (subscription: Pick<SubscriptionRow, "autoRenew" | "cancelledAt">): boolean =>
  subscription.autoRenew && subscription.cancelledAt === null;

/** Whether an active subscription renews automatically: suspended accounts are not charged. */
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
export const isChargeable = <Line extends QuoteLine>(quote: Line | null): quote is Line =>
  quote !== null && quote.totalCents >= smallestChargeCents;

/** The latest attempt, with its failure. */
export type RecordedAttempt = LatestAttempt & { declineCode: string | null; createdAt: Date; settledAt: Date | null };

export const renewalStates = ["scheduled", "past_due", "action_required", "off"] as const;

/**
 * - `scheduled`: it will be charged.
 * - `past_due`: the latest attempt failed and the subscription still runs. There may be another attempt.
 * - `action_required`: the same, and the bank wants the account holder to authenticate the payment.
 * - `off`: nothing will be charged, as things are.
 */
export type RenewalState = (typeof renewalStates)[number];

/** What the account holder is told about the renewal of the present end. */
export type Renewal = {
  state: RenewalState;
  /** Null when there will be no further attempt, or the account has no card for it. */
  nextAttemptOn: Day | null;
  /** It would be charged if the account had a card for renewals. */
  needsCard: boolean;
  /** What the renewal costs. Null when it is off. */
  amountCents: number | null;
  /** How that compares with what was last paid for this term. Null when it is off, or the term was never paid before. */
  priceChange: RenewalPriceChange | null;
  /** Why the latest attempt failed. It stays after the end, to explain it. */
  lastFailure: RenewalFailure | null;
};

/** Whether the latest attempt failed and the account holder can still pay before the end. The statement of `noticesOf` says it in SQL. */
export const isPastDue = (
  today: Day,
  subscription: Pick<SubscriptionRow, "autoRenew" | "cancelledAt" | "endDate">,
  account: { standing: Standing },
  latest: LatestAttempt | null,
): boolean => today < subscription.endDate && renews(subscription, account) && latest?.state === "declined";

export const failureOf = (latest: RecordedAttempt | null): RenewalFailure | null =>
  latest?.state === "declined" ? renewalFailure(latest.declineCode, latest.settledAt ?? latest.createdAt) : null;

export const pastDueState = ({ code }: { code: string }): "past_due" | "action_required" =>
  needsAuthentication(code) ? "action_required" : "past_due";
