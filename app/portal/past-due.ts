/** Renewals that are past due, as pages show them. */
import type { Subscription } from "../domain/subscriptions/subscription.ts";

export type PastDue = {
  subscriptionId: number;
  routeName: string;
  endDate: string;
  needsAuthentication: boolean;
  /** Null when the route is not on sale at the moment. */
  amountCents: number | null;
  nextAttemptOn: string | null;
  lastFailure: { message: string; at: string };
};

/** Null unless the subscription's renewal is past due. */
export const pastDueOf = ({ id, routeName, endDate, renewal }: Subscription): PastDue | null => {
  const { state, amountCents, nextAttemptOn, lastFailure } = renewal;
  if (lastFailure === null || (state !== "past_due" && state !== "action_required")) return null;
  return {
    subscriptionId: id,
    routeName,
    endDate,
    needsAuthentication: state === "action_required",
    amountCents,
    nextAttemptOn,
    lastFailure: { message: lastFailure.message, at: lastFailure.at.toISOString() },
  };
};
