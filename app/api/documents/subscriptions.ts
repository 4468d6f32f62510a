/** Subscriptions as JSON documents. */
import { isoInstant } from "../../domain/dates.ts";
import type { SelectionResult } from "../../domain/subscriptions/manage.server.ts";
import { isAutoRenewalOn, type Renewal } from "../../domain/subscriptions/renewal.ts";
import type { Subscription } from "../../domain/subscriptions/subscription.ts";

export const subscriptionDocument = (subscription: Subscription) => ({
  id: subscription.id,
  route_name: subscription.routeName,
  subscription_term: subscription.term,
  start_date: subscription.startDate,
  end_date: subscription.endDate,
  status: subscription.status,
  auto_renew: isAutoRenewalOn(subscription),
  route_id: subscription.routeId,
  period_id: subscription.periodId,
  renewal_term: subscription.renewalTerm,
  next_charge: subscription.nextCharge && {
    date: subscription.nextCharge.date,
    amount_cents: subscription.nextCharge.amountCents,
  },
  renewal: renewalDocument(subscription.renewal),
});

export const selectionDocument = (results: readonly SelectionResult[]) => ({
  results: results.map(({ subscription, reason }) => ({
    subscription: subscriptionDocument(subscription),
    changed: reason === null,
    reason,
  })),
});

const renewalDocument = ({ state, nextAttemptOn, amountCents, priceChange, lastFailure }: Renewal) => ({
  state,
  next_attempt_on: nextAttemptOn,
  amount_cents: amountCents,
  price_change: priceChange && {
    previous_amount_cents: priceChange.previousCents,
    reasons: priceChange.reasons,
    capped: priceChange.isCapped,
  },
  last_failure: lastFailure && { ...lastFailure, at: isoInstant(lastFailure.at) },
});
