/** Prices, orders and subscriptions as JSON documents. */
import { currency } from "../../domain/money.ts";
import type { OpenOrder } from "../../domain/payments/orders.server.ts";
import type { Term } from "../../domain/pricing/discounts.ts";
import type { Quote, QuoteLine } from "../../domain/pricing/quote.ts";
import type { VolumeDiscountReason } from "../../domain/pricing/volume-discount-reason.ts";
import type { OrderItem } from "../../domain/subscriptions/price.server.ts";
import { isAutoRenewalOn } from "../../domain/subscriptions/renewal.ts";
import type { Subscription } from "../../domain/subscriptions/subscription.ts";

export const orderItem = (item: { period_id: number; subscription_term: Term }): OrderItem => ({
  periodId: item.period_id,
  term: item.subscription_term,
});

export const quoteDocument = (quote: Quote) => ({
  currency,
  lines: quote.lines.map(lineDocument),
  list_cents: quote.listCents,
  discount_cents: quote.discountCents,
  total_cents: quote.totalCents,
});

export const lineDocument = (line: QuoteLine) => ({
  period_id: line.periodId,
  route_id: line.routeId,
  subscription_term: line.term,
  months: line.months,
  monthly_cents: line.monthlyCents,
  list_cents: line.listCents,
  term_discount_percent: line.termDiscountPercent,
  volume_discount_percent: line.volumeDiscountPercent,
  volume_discount_reason: reasonDocument(line.volumeDiscountReason),
  discount_cents: line.discountCents,
  total_cents: line.totalCents,
});

const reasonDocument = (reason: VolumeDiscountReason | null) =>
  reason && {
    kind: reason.kind,
    from_routes: reason.kind === "tier" ? reason.fromRoutes : null,
    to_routes: reason.kind === "tier" ? reason.toRoutes : null,
  };

export const checkoutDocument = (checkout: OpenOrder) => ({
  payment_intent_id: checkout.intent.id,
  client_secret: checkout.intent.clientSecret,
  order_id: checkout.orderId,
  amount_cents: checkout.amountCents,
  currency: checkout.currency,
  lines: checkout.lines.map(lineDocument),
});

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
});
