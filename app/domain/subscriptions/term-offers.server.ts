import type { Caller } from "../accounts/caller.ts";
import { type Day, dayOf } from "../dates.ts";
import { notFound } from "../errors.ts";
import { accountsWithChargeableCard } from "../payments/cards.server.ts";
import { smallestChargeCents } from "../payments/order.ts";
import { type Term, terms } from "../pricing/discounts.ts";
import { creditOf } from "./credit.server.ts";
import type { NextCharge } from "./next-charge.server.ts";
import * as queries from "./queries.server.ts";
import { isChargeable, nextAttempt, renews } from "./renewal.ts";
import { quoteRenewals, type RenewalPricing, type RenewalQuote, renewalFacts } from "./renewal-quotes.server.ts";
import { isRunning, statusOn } from "./status.ts";
import { beginTerm, extendTerm } from "./term.ts";

/** `totalCents` are before tax, `amountCents` with it: what is charged. */
export type TermOffer = {
  term: Term;
  /** The price of the term from today, before any credit. */
  price: RenewalQuote;
  /** Appended to the paid time; from today for an expired subscription. */
  renewal: { totalCents: number; amountCents: number; until: Day };
  /** The next charge if auto-renewal is on for this term; null when nothing will be charged. */
  nextCharge: NextCharge | null;
  /** Replacing the unused days from today; null for the current term and when the credit leaves nothing to pay. */
  change: { totalCents: number; creditCents: number; taxCents: number; amountCents: number; until: Day } | null;
};

/**
 * What each term would cost for this subscription. Empty when the route has no period on sale.
 *
 * @throws not_found
 */
export const termOffers = async (ctx: RenewalPricing, caller: Caller, input: { id: number }): Promise<TermOffer[]> => {
  const today = dayOf(ctx.clock.now());
  const [subscription] = await queries.findByIds(ctx.db, [input.id]);
  if (subscription?.accountId !== caller.account.id) throw notFound("Subscription");
  const [{ creditCents }, attempts, withCard, facts] = await Promise.all([
    creditOf(ctx.db, subscription.id, today),
    queries.latestAttempts(ctx.db, [subscription.id]),
    accountsWithChargeableCard(ctx.db, [caller.account.id]),
    renewalFacts(ctx, [subscription]),
  ]);
  if (!facts) return [];
  const running = isRunning(statusOn(today, subscription));
  const chargeDate =
    withCard.has(caller.account.id) && renews({ ...subscription, autoRenew: true }, caller.account)
      ? nextAttempt(today, subscription.endDate, attempts.get(subscription.id) ?? null)
      : null;
  // Every term from today, then every term on the day of the charge.
  const quotes = await quoteRenewals(
    ctx,
    facts,
    [today, chargeDate ?? today].flatMap((on) => terms.map((term) => ({ subscription, term, on }))),
  );
  const dueOf = (quote: RenewalQuote | null | undefined) => Math.max(0, (quote?.totalCents ?? 0) - creditCents);
  const taxes = await facts.estimateTaxes(
    terms.map((_, index) => ({ accountId: caller.account.id, totalCents: dueOf(quotes[index]) })),
  );
  return terms.flatMap((term, index) => {
    const quote = quotes[index];
    const charge = quotes[terms.length + index] ?? null;
    if (!quote) return [];
    const { totalCents, withTax } = quote;
    const begun = beginTerm(today, term);
    const dueCents = dueOf(quote);
    const taxCents = taxes[index] ?? 0;
    const changes = running && term !== subscription.term && dueCents >= smallestChargeCents;
    const nextCharge =
      chargeDate && isChargeable(charge) ? { date: chargeDate, amountCents: charge.withTax.amountCents } : null;
    return {
      term,
      price: quote,
      renewal: {
        totalCents,
        amountCents: withTax.amountCents,
        until: (running ? extendTerm(subscription, term) : begun).endDate,
      },
      nextCharge,
      change: changes
        ? { totalCents, creditCents, taxCents, amountCents: dueCents + taxCents, until: begun.endDate }
        : null,
    };
  });
};
