import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { smallestChargeCents } from "../payments/order.ts";
import { type Term, terms } from "../pricing/discounts.ts";
import { creditOf } from "./credit.server.ts";
import { getSubscription } from "./list.server.ts";
import { renewalLine } from "./renewal-price.server.ts";
import { isRunning } from "./status.ts";
import { beginTerm, extendTerm } from "./term.ts";

export type TermOffer = {
  term: Term;
  /** As another term, behind what is paid. */
  renewal: { totalCents: number; until: Day };
  /** In place of what is left, from today; null where the credit leaves nothing to pay, or the term is the present one. */
  change: { totalCents: number; creditCents: number; dueCents: number; until: Day } | null;
};

/**
 * What each term would cost this subscription today, before anything happens. Empty when its route is off sale.
 *
 * @throws not_found
 */
export const termOffers = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller,
  input: { id: number },
): Promise<TermOffer[]> => {
  const today = dayOf(ctx.clock.now());
  const subscription = await getSubscription(ctx, caller, input);
  const running = isRunning(subscription.status);
  const { creditCents } = await creditOf(ctx.db, subscription.id, today);
  const offers = await Promise.all(
    terms.map(async (term): Promise<TermOffer | null> => {
      const line = await renewalLine(ctx, caller.account, subscription, term);
      if (!line) return null;
      const { totalCents } = line;
      const begun = beginTerm(today, term);
      const dueCents = totalCents - creditCents;
      const changes = running && term !== subscription.term && dueCents >= smallestChargeCents;
      return {
        term,
        renewal: { totalCents, until: (running ? extendTerm(subscription, term) : begun).endDate },
        change: changes ? { totalCents, creditCents, dueCents, until: begun.endDate } : null,
      };
    }),
  );
  return offers.filter((offer) => offer !== null);
};
