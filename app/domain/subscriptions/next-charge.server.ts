import type { Standing } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import type { QuoteLine } from "../pricing/quote.ts";
import * as queries from "./queries.server.ts";
import { isChargeable, nextAttempt, renews } from "./renewal.ts";
import { renewalQuotes } from "./renewal-quotes.server.ts";
import type { SubscriptionRow } from "./subscription.ts";

export type NextCharge = { date: Day; amountCents: number };

type Renewable = Pick<
  SubscriptionRow,
  "id" | "accountId" | "routeId" | "periodId" | "renewalTerm" | "endDate" | "autoRenew" | "cancelledAt"
> & { standing: Standing };

/** When each subscription is charged next, and how much, by id. Subscriptions that will not be charged are missing. */
export const nextCharges = async (
  ctx: Pick<Context, "db" | "clock">,
  subscriptions: readonly Renewable[],
): Promise<Map<number, NextCharge>> =>
  new Map(
    [...(await comingRenewalQuotes(ctx, subscriptions))].map(([id, { on, quote }]) => [
      id,
      { date: on, amountCents: quote.totalCents },
    ]),
  );

/** The same with the full quote. Takes four SQL statements for any number of subscriptions. */
export const comingRenewalQuotes = async (
  ctx: Pick<Context, "db" | "clock">,
  subscriptions: readonly Renewable[],
): Promise<Map<number, { on: Day; quote: QuoteLine }>> => {
  const today = dayOf(ctx.clock.now());
  const renewing = subscriptions.filter((each) => each.endDate > today && renews(each, each));
  if (renewing.length === 0) return new Map();
  const attempts = await queries.latestAttempts(
    ctx.db,
    renewing.map(({ id }) => id),
  );
  const charged = renewing.flatMap((subscription) => {
    const on = nextAttempt(today, subscription.endDate, attempts.get(subscription.id) ?? null);
    return on === null ? [] : [{ subscription, term: subscription.renewalTerm, on }];
  });
  const quotes = await renewalQuotes(ctx, charged);
  return new Map(
    charged.flatMap(({ subscription, on }, index) => {
      const quote = quotes[index] ?? null;
      return isChargeable(quote) ? [[subscription.id, { on, quote }]] : [];
    }),
  );
};
