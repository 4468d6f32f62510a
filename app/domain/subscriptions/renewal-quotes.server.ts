import { type AgreedDiscount, agreedPercentOn } from "../accounts/volume-agreement.ts";
import { pricedPeriodsOfRoutes } from "../catalogue/browse.server.ts";
import { runningPeriod } from "../catalogue/period.ts";
import { isOnSale, type PricedPeriod } from "../catalogue/priced-period.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { groupBy } from "../group-by.ts";
import { taxEstimator } from "../payments/expected-tax.server.ts";
import type { Term } from "../pricing/discounts.ts";
import { monthlyPriceCents, type QuoteLine, quoteLine } from "../pricing/quote.ts";
import { cappedRenewal, type LastPaid } from "../pricing/renewal-price.ts";
import type { RenewalPriceChange } from "../pricing/renewal-price-change.ts";
import { renewalVolumeDiscount } from "../pricing/volume-discount.ts";
import * as queries from "./queries.server.ts";
import { termPrices } from "./renewal-price-queries.server.ts";
import type { SubscriptionRow } from "./subscription.ts";

export type RenewalRequest = {
  /** The id is null for a subscription that the order in `after` begins. */
  subscription: Pick<SubscriptionRow, "accountId" | "routeId" | "periodId"> & { id: number | null };
  term: Term;
  /** The day of the charge, today or later. It decides which period the renewal is for. */
  on: Day;
  /** Prices the renewal as if this order were paid. */
  after?: UnpaidOrder;
};

/** What a renewal's price depends on of an order that is still unpaid. */
export type UnpaidOrder = {
  /** What the order charges for the renewed route and term, before any credit. */
  paid: LastPaid;
  /** All routes of the order. */
  routeIds: readonly number[];
  /** What is agreed with the account once the order is paid. */
  agreed: AgreedDiscount;
};

export type RenewalQuote = QuoteLine & {
  /** Null when the term was never paid for this route, and after the end. */
  priceChange: RenewalPriceChange | null;
  /** What the card would be charged, and what was last paid for the same term, both with the tax of today. */
  withTax: { amountCents: number; previousCents: number | null };
};

/** What the price of a renewal depends on. */
export type RenewalPricing = Pick<Context, "db" | "clock" | "tax"> & {
  settings: Pick<Context["settings"], "renewalCapPercent">;
};

/**
 * What each renewal costs, in the order of the requests: the price that was announced for this end and term, else
 * today's, which is capped at `renewalCapPercent` above what was last paid for the same route and term while the
 * subscription runs. After an unpaid order, today's price with the routes of that order, capped above what it charges.
 * Null when the route has no period on sale. The subscription's own route counts for the volume discount, running or not.
 * A fixed number of statements, however many requests.
 *
 * @param order.isShared the requests are for one order of one account, so that each route on sale counts for all of them
 * @spec Subscription, rule 5
 */
export const renewalQuotes = async (
  ctx: RenewalPricing,
  requests: readonly RenewalRequest[],
  order: { isShared: boolean } = { isShared: false },
): Promise<(RenewalQuote | null)[]> => {
  const facts = await renewalFacts(
    ctx,
    requests.map(({ subscription }) => subscription),
  );
  return quoteRenewals(ctx, facts, requests, order);
};

/** What the price of these subscriptions' renewals depends on, in one round trip. */
export const renewalFacts = async (ctx: RenewalPricing, subscriptions: readonly RenewalRequest["subscription"][]) => {
  const today = dayOf(ctx.clock.now());
  const distinct = (key: "id" | "accountId" | "routeId") => [
    ...new Set(subscriptions.flatMap((subscription) => subscription[key] ?? [])),
  ];
  if (subscriptions.length === 0) return null;
  const [periods, running, prices, estimateTaxes] = await Promise.all([
    pricedPeriodsOfRoutes(ctx, distinct("routeId")),
    queries.runningRoutes(ctx.db, distinct("accountId"), today),
    termPrices(ctx.db, distinct("id"), today),
    taxEstimator(ctx, distinct("accountId")),
  ]);
  return { today, periods, running, prices, estimateTaxes };
};

type RenewalFacts = Awaited<ReturnType<typeof renewalFacts>>;

/** The quotes of `renewalQuotes`, from what has been read. */
export const quoteRenewals = async (
  ctx: Pick<RenewalPricing, "settings">,
  facts: RenewalFacts,
  requests: readonly RenewalRequest[],
  order: { isShared: boolean } = { isShared: false },
): Promise<(RenewalQuote | null)[]> => {
  if (!facts) return [];
  const { today, periods, running, prices, estimateTaxes } = facts;
  const periodsOf = groupBy(periods, ({ routeId }) => routeId);
  const runningOf = groupBy(running, ({ accountId }) => accountId);
  const pricesOf = new Map(prices.map((price) => [priceKey(price.subscriptionId, price.term), price]));
  const found = requests.map(({ subscription: { routeId, periodId }, on }) => {
    const candidates = periodsOf.get(routeId) ?? [];
    // A successor may not be known yet for the day of the charge.
    return periodOnSale(candidates, periodId, on) ?? periodOnSale(candidates, periodId, today);
  });
  const ordered = order.isShared ? found.flatMap((period) => period?.routeId ?? []) : [];
  const lines = requests.map(({ subscription: { id, accountId, routeId }, term, on, after }, index) => {
    const period = found[index];
    if (!period) return null;
    const others = runningOf.get(accountId) ?? [];
    const routes = new Set([...others.map((row) => row.routeId), ...ordered, routeId, ...(after?.routeIds ?? [])]);
    const item = { periodId: period.id, routeId, term, monthlyCents: monthlyPriceCents(period) };
    const known = id === null || after ? undefined : pricesOf.get(priceKey(id, term));
    const { paid, announced } = known ?? { paid: after?.paid ?? null, announced: null };
    const agreed = after?.agreed ?? others[0];
    const agreedPercent = agreed ? agreedPercentOn(agreed, on) : null;
    const line = quoteLine(item, renewalVolumeDiscount(routes.size, agreedPercent));
    return { ...cappedRenewal(line, period, paid, ctx.settings.renewalCapPercent), ...announced };
  });
  const accountIds = requests.map(({ subscription }) => subscription.accountId);
  return addTax(estimateTaxes, lines, accountIds);
};

type UntaxedQuote = Omit<RenewalQuote, "withTax">;

const addTax = async (
  estimateTaxes: Awaited<ReturnType<typeof taxEstimator>>,
  quotes: (UntaxedQuote | null)[],
  accountIds: number[],
): Promise<(RenewalQuote | null)[]> => {
  const netOf = (amountOf: (quote: UntaxedQuote) => number | undefined) =>
    quotes.map((quote, index) => ({
      accountId: accountIds[index] ?? 0,
      totalCents: (quote && amountOf(quote)) ?? 0,
    }));
  const present = netOf(({ totalCents }) => totalCents);
  const previous = netOf(({ priceChange }) => priceChange?.previousCents);
  const taxes = await estimateTaxes([...present, ...previous]);
  return quotes.map((quote, index) => {
    if (!quote) return null;
    const before = quote.priceChange?.previousCents;
    return {
      ...quote,
      withTax: {
        amountCents: quote.totalCents + (taxes[index] ?? 0),
        previousCents: before === undefined ? null : before + (taxes[present.length + index] ?? 0),
      },
    };
  });
};

const priceKey = (subscriptionId: number, term: Term) => `${subscriptionId} ${term}`;

const periodOnSale = (periods: PricedPeriod[], periodId: number, day: Day): PricedPeriod | null => {
  const period = runningPeriod(periods, periodId, day);
  return period && isOnSale(period, day) ? period : null;
};
