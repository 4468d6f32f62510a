import type { Standing } from "../accounts/caller.ts";
import { type Day, dayOf } from "../dates.ts";
import { accountsWithChargeableCard } from "../payments/cards.server.ts";
import type { RenewalPriceChange } from "../pricing/renewal-price-change.ts";
import * as queries from "./queries.server.ts";
import { failureOf, isChargeable, isPastDue, nextAttempt, pastDueState, type Renewal, renews } from "./renewal.ts";
import { quoteRenewals, type RenewalPricing, type RenewalQuote, renewalFacts } from "./renewal-quotes.server.ts";
import type { SubscriptionRow } from "./subscription.ts";

export type NextCharge = { date: Day; amountCents: number };

type Renewable = Pick<
  SubscriptionRow,
  "id" | "accountId" | "routeId" | "periodId" | "renewalTerm" | "endDate" | "autoRenew" | "cancelledAt"
> & { standing: Standing };

type PricedRenewal<Row> = {
  subscription: Row;
  renewal: Renewal;
  /** The next attempt, whether or not there is a card for it yet. */
  attempt: { on: Day; quote: RenewalQuote } | null;
};

/** The renewal of each subscription, in their order. Takes a fixed number of SQL statements, and one round trip. */
export const renewalsOf = async <Row extends Renewable>(
  ctx: RenewalPricing,
  subscriptions: readonly Row[],
): Promise<PricedRenewal<Row>[]> => {
  if (subscriptions.length === 0) return [];
  const today = dayOf(ctx.clock.now());
  const renewing = subscriptions.filter((each) => each.endDate > today && renews(each, each));
  const [attempts, withCard, facts] = await Promise.all([
    queries.latestAttempts(
      ctx.db,
      subscriptions.map(({ id }) => id),
    ),
    accountsWithChargeableCard(
      ctx.db,
      subscriptions.map(({ accountId }) => accountId),
    ),
    renewalFacts(ctx, renewing),
  ]);
  const latestOf = ({ id }: Row) => attempts.get(id) ?? null;
  const requests = renewing.map((subscription) => {
    const attemptOn = nextAttempt(today, subscription.endDate, latestOf(subscription));
    return { subscription, attemptOn, term: subscription.renewalTerm, on: attemptOn ?? today };
  });
  const quotes = await quoteRenewals(ctx, facts, requests);
  const pricedOf = new Map(
    requests.map(({ subscription, attemptOn }, index) => [
      subscription.id,
      { attemptOn, quote: quotes[index] ?? null },
    ]),
  );
  return subscriptions.map((subscription) => {
    const latest = latestOf(subscription);
    const lastFailure = failureOf(latest);
    const priced = pricedOf.get(subscription.id);
    const quote = priced && isChargeable(priced.quote) ? priced.quote : null;
    const attempt = quote && priced?.attemptOn ? { on: priced.attemptOn, quote } : null;
    const needsCard = attempt !== null && !withCard.has(subscription.accountId);
    const nextAttemptOn = needsCard ? null : (attempt?.on ?? null);
    const isDue = lastFailure && isPastDue(today, subscription, subscription, latest);
    const state = isDue ? pastDueState(lastFailure) : nextAttemptOn ? "scheduled" : "off";
    const payable = state === "off" ? null : quote;
    const amountCents = payable?.withTax.amountCents ?? null;
    const priceChange = payable && priceChangeWithTax(payable);
    const renewal: Renewal = { state, nextAttemptOn, needsCard, amountCents, priceChange, lastFailure };
    return { subscription, renewal, attempt };
  });
};

const priceChangeWithTax = ({ priceChange, withTax }: RenewalQuote): RenewalPriceChange | null =>
  priceChange && { ...priceChange, previousCents: withTax.previousCents ?? priceChange.previousCents };

/** The charge that a renewal leads to next; null when nothing will be charged. */
export const nextChargeOf = ({ nextAttemptOn, amountCents }: Renewal): NextCharge | null =>
  nextAttemptOn !== null && amountCents !== null ? { date: nextAttemptOn, amountCents } : null;

/** When each subscription is charged next, and how much, by id. Subscriptions that will not be charged are missing. */
export const nextCharges = async (
  ctx: RenewalPricing,
  subscriptions: readonly Renewable[],
): Promise<Map<number, NextCharge>> =>
  new Map(
    (await renewalsOf(ctx, subscriptions)).flatMap(({ subscription, renewal }) => {
      const charge = nextChargeOf(renewal);
      return charge ? [[subscription.id, charge]] : [];
    }),
  );

/** The next attempt to charge each renewal, with the full quote, whether or not there is a card for it yet. */
export const comingRenewalQuotes = async (
  ctx: RenewalPricing,
  subscriptions: readonly Renewable[],
): Promise<Map<number, { on: Day; quote: RenewalQuote; needsCard: boolean }>> =>
  new Map(
    (await renewalsOf(ctx, subscriptions)).flatMap(({ subscription, renewal: { needsCard }, attempt }) =>
      attempt ? [[subscription.id, { ...attempt, needsCard }]] : [],
    ),
  );
