/** Prices and orders as JSON documents. Each line names its route. */
import { routeNames } from "../../domain/catalogue/browse.server.ts";
import type { Named } from "../../domain/catalogue/browse.ts";
import type { Context } from "../../domain/context.ts";
import { currency } from "../../domain/money.ts";
import type { OpenOrder } from "../../domain/payments/orders.server.ts";
import type { Term } from "../../domain/pricing/discounts.ts";
import type { QuoteLine } from "../../domain/pricing/quote.ts";
import type { VolumeDiscountReason } from "../../domain/pricing/volume-discount-reason.ts";
import type { OrderItem } from "../../domain/subscriptions/order-items.ts";
import type { TaxedQuote } from "../../domain/subscriptions/price.server.ts";
import { taxCentsOf } from "../../domain/tax/tax.ts";
import type { Tax } from "../../domain/tax/tax-line.ts";

export const orderItem = (item: { period_id: number; subscription_term: Term }): OrderItem => ({
  periodId: item.period_id,
  term: item.subscription_term,
});

export const quoteDocument = async (ctx: Pick<Context, "db">, quote: TaxedQuote) => {
  const routeOf = await routeFinder(ctx, quote.lines);
  return {
    currency,
    lines: quote.lines.map((line, index) => ({
      ...lineDocument(line, routeOf),
      tax_cents: quote.taxes[index] ?? 0,
    })),
    list_cents: quote.listCents,
    discount_cents: quote.discountCents,
    total_cents: quote.totalCents,
    tax_cents: quote.taxCents,
    amount_cents: quote.amountCents,
  };
};

type RouteOf = (line: QuoteLine) => Named;

/** Finds the code and name of each line's route, with one query for all lines. */
export const routeFinder = async (ctx: Pick<Context, "db">, lines: readonly QuoteLine[]): Promise<RouteOf> => {
  const names = await routeNames(ctx, [...new Set(lines.map(({ routeId }) => routeId))]);
  return ({ routeId }) => {
    const route = names.get(routeId);
    if (!route) throw new Error(`Route ${routeId} is gone`);
    return route;
  };
};

const lineDocument = (line: QuoteLine, routeOf: RouteOf) => ({
  period_id: line.periodId,
  route_id: line.routeId,
  route: routeOf(line),
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
    quote_id: reason.kind === "quote" ? reason.quoteId : null,
  };

/** A line of an order: list − discount − credit = total, plus tax. */
export const orderLineDocument = (line: QuoteLine & { creditCents: number; taxes: Tax[] }, routeOf: RouteOf) => ({
  ...lineDocument(line, routeOf),
  credit_cents: line.creditCents,
  tax_cents: taxCentsOf(line.taxes),
});

export const checkoutDocument = async (ctx: Pick<Context, "db" | "settings">, checkout: OpenOrder) => {
  const { publishableKey, apiVersion, apiUrl } = ctx.settings.paymentClient;
  const routeOf = await routeFinder(ctx, checkout.lines);
  return {
    payment_intent_id: checkout.intent.id,
    client_secret: checkout.intent.clientSecret,
    publishable_key: publishableKey,
    provider_api_version: apiVersion,
    confirm_url: `${apiUrl}/v1/payment_intents/${checkout.intent.id}/confirm`,
    order_id: checkout.orderId,
    amount_cents: checkout.amountCents,
    tax_cents: checkout.taxCents,
    currency: checkout.currency,
    lines: checkout.lines.map((line) => orderLineDocument(line, routeOf)),
  };
};
