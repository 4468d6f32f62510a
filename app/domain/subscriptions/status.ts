/** The status of a subscription, derived from its dates and flags whenever it is read. @spec Subscription, States */
import { type Day, daysBetween } from "../dates.ts";
import { expiringSoonDays } from "./policy.ts";

export const subscriptionStatuses = ["active", "expiring_soon", "expired", "cancelled"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export const statusOn = (today: Day, subscription: { endDate: Day; cancelledAt: Date | null }): SubscriptionStatus => {
  if (today >= subscription.endDate) return "expired";
  if (subscription.cancelledAt !== null) return "cancelled";
  return daysBetween(today, subscription.endDate) <= expiringSoonDays ? "expiring_soon" : "active";
};

/** Whether a subscription in this status gives access to the route's data. */
export const isRunning = (status: SubscriptionStatus): boolean => status !== "expired";
