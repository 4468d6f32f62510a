/** Orders for an existing subscription: a renewal by another term, or a change of term from today. */
import { type Caller, requireGoodStanding } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { conflict, notFound } from "../errors.ts";
import { smallestChargeCents } from "../payments/order.ts";
import { cancelOpenTermChanges, type OpenOrder, openOrder } from "../payments/orders.server.ts";
import type { Term } from "../pricing/discounts.ts";
import type { QuoteLine } from "../pricing/quote.ts";
import { creditOf } from "./credit.server.ts";
import * as queries from "./queries.server.ts";
import { isAutoRenewalOn } from "./renewal.ts";
import { renewalQuotes } from "./renewal-quotes.server.ts";
import { isRunning, statusOn } from "./status.ts";
import type { SubscriptionRow } from "./subscription.ts";

type World = Pick<Context, "db" | "clock" | "payments">;

/**
 * Orders another term: appended to a running subscription, from today for an expired one. Renewing a cancelled one undoes
 * the cancellation but leaves auto-renewal off.
 *
 * @param input.term defaults to the subscription's renewal term
 * @throws not_found
 * @throws forbidden for a suspended account
 * @throws conflict while its automatic renewal is being charged, when the route has no period on sale, and for an expired
 *   one that a newer subscription to the same period has replaced
 */
export const renewSubscription = async (
  ctx: World,
  caller: Caller,
  input: { id: number; term?: Term | undefined },
): Promise<OpenOrder> => {
  const { row, today } = await payable(ctx, caller, input.id);
  const line = await quoteOf(ctx, row, input.term ?? row.renewalTerm, today);
  if (!isRunning(statusOn(today, row))) {
    const newer = await queries.runningOf(ctx.db, caller.account.id, line.periodId, today);
    if (newer !== null) throw conflict(`Subscription ${newer} to the same period is running; renew that one`);
  }
  return openOrder(ctx, caller.account, async () => ({
    ...ordered(row, "renewal"),
    lines: [{ ...line, subscriptionId: row.id, creditCents: 0, creditedThroughTermId: null }],
  }));
};

export type TermChange = OpenOrder & {
  /** The value of the unused days at the price paid, deducted from the new term. */
  creditCents: number;
};

/**
 * Orders a new term that begins today and replaces the rest of the current one. The unused days are credited at the price
 * paid for them. Nothing is refunded, so a change whose credit covers the whole price is refused.
 *
 * @throws not_found
 * @throws forbidden for a suspended account
 * @throws conflict for the current term, for a cancelled or expired subscription, while its automatic renewal is being
 *   charged, and when the credit leaves nothing to pay
 */
export const changeTerm = async (
  ctx: World,
  caller: Caller,
  input: { id: number; term: Term },
): Promise<TermChange> => {
  const { row, today } = await payable(ctx, caller, input.id);
  const status = statusOn(today, row);
  if (status === "expired") throw conflict("The subscription has expired; renew it instead");
  if (status === "cancelled") throw conflict("The subscription is cancelled; resume it first");
  if (row.term === input.term) throw conflict("The subscription has this term already; renew it to prolong it");
  await cancelOpenTermChanges(ctx, row.id);
  const line = await quoteOf(ctx, row, input.term, today);
  // The account is locked, so that no payment can come between computing the credit and writing the order.
  const order = await openOrder(ctx, caller.account, async (tx, now) => {
    const credit = await creditOf(tx, row.id, dayOf(now));
    const totalCents = line.totalCents - credit.creditCents;
    if (totalCents < smallestChargeCents) {
      throw conflict(
        `The unused days are worth ${credit.creditCents} cents and the new term costs ${line.totalCents}: nothing is left to pay, and nothing is refunded. Set renewal_term instead, to change the term at the next renewal`,
      );
    }
    return { ...ordered(row, "term_change"), lines: [{ ...line, subscriptionId: row.id, ...credit, totalCents }] };
  });
  return { ...order, creditCents: order.lines.reduce((sum, { creditCents }) => sum + creditCents, 0) };
};

const payable = async (ctx: World, { account }: Caller, id: number): Promise<{ row: SubscriptionRow; today: Day }> => {
  requireGoodStanding(account);
  const [row] = await queries.findByIds(ctx.db, [id]);
  if (row?.accountId !== account.id) throw notFound("Subscription");
  if (await queries.hasPendingCharge(ctx.db, id)) {
    throw conflict("The subscription's renewal is being charged at this moment; try again later");
  }
  return { row, today: dayOf(ctx.clock.now()) };
};

const quoteOf = async (ctx: World, row: SubscriptionRow, term: Term, today: Day): Promise<QuoteLine> => {
  const [line] = await renewalQuotes(ctx, [{ subscription: row, term, on: today }]);
  if (!line) throw conflict("The route has no period on sale any more");
  return line;
};

const descriptions = {
  renewal: "Renewal of shipping route data",
  term_change: "Change of term of shipping route data",
} as const;

const ordered = (row: SubscriptionRow, kind: keyof typeof descriptions) => ({
  kind,
  autoRenew: isAutoRenewalOn(row),
  description: `${descriptions[kind]}, ${row.routeCode}`,
});
