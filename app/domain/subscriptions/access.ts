/** Whether an account may read a route's data, and why. @spec States and transitions; Errors (403) */
import type { Standing } from "../accounts/caller.ts";
import type { Day } from "../dates.ts";
import { isRunning, type SubscriptionStatus, statusOn } from "./status.ts";
import type { SubscriptionRow } from "./subscription.ts";

/** Routes of one access check. */
export const maxCheckedRoutes = 100;

export const accessReasons = [
  "active",
  "expiring_soon",
  "cancelled",
  "sample",
  "expired",
  "never_subscribed",
  "account_suspended",
] as const;
export type AccessReason = (typeof accessReasons)[number];

export type Access = {
  hasAccess: boolean;
  reason: AccessReason;
  /** The first day without access. Null without access, and for a sample: it has no end. */
  accessUntil: Day | null;
};

/**
 * Of several subscriptions to a route, the one that ends last decides. A sample is open without one.
 *
 * @param standing that of a visitor is "good"
 */
export const accessOn = (
  today: Day,
  standing: Standing,
  subscriptions: Pick<SubscriptionRow, "endDate" | "cancelledAt">[],
  isSample = false,
): Access => {
  if (standing === "suspended") return { hasAccess: false, reason: "account_suspended", accessUntil: null };
  if (isSample) return { hasAccess: true, reason: "sample", accessUntil: null };
  const last = subscriptions.toSorted((a, b) => (a.endDate < b.endDate ? 1 : -1))[0];
  if (!last) return { hasAccess: false, reason: "never_subscribed", accessUntil: null };
  const status: SubscriptionStatus = statusOn(today, last);
  const hasAccess = isRunning(status);
  return { hasAccess, reason: status, accessUntil: hasAccess ? last.endDate : null };
};

/** `hasAccess` of the same, for a route that the account is known to have an active subscription to, or not. */
export const isOpenTo = (standing: Standing, route: { isSample: boolean; isSubscribed: boolean }): boolean =>
  standing !== "suspended" && (route.isSample || route.isSubscribed);
