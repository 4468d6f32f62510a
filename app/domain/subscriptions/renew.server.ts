/** Orders for an existing subscription: a renewal by another term, or a change of term from today. */
import { type Caller, requireGoodStanding } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { conflict, notFound } from "../errors.ts";
import { type NewOrderLine, smallestChargeCents } from "../payments/order.ts";
import {
  cancelHandedOver,
  cancelOpenTermChanges,
  cancelOrder,
  isPayable,
  type OpenOrder,
  openOrder,
  openRenewals,
} from "../payments/orders.server.ts";
import type { Term } from "../pricing/discounts.ts";
import type { QuoteLine } from "../pricing/quote.ts";
import { creditOf } from "./credit.server.ts";
import * as queries from "./queries.server.ts";
import { isAutoRenewalOn } from "./renewal.ts";
import { renewalQuotes } from "./renewal-quotes.server.ts";
import { settleIntent } from "./settle.server.ts";
import { isRunning, statusOn } from "./status.ts";
import type { SubscriptionRow } from "./subscription.ts";

type World = Pick<Context, "db" | "clock" | "payments" | "rateLimiter" | "settings" | "tax">;

/**
 * Orders another term: appended to an active subscription, from today for an expired one. Renewing a cancelled one undoes
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
  const lines = await renewalLines(ctx, caller, row, input.term ?? row.renewalTerm, today);
  await cancelHandedOver(ctx, row.id);
  return openOrder(ctx, caller.account, async () => ({ ...ordered(row, "renewal"), lines }));
};

/** An order to pay, or the end to which the renewal has been paid already. */
export type RenewalPayment = { orderId: number } | { paidUntil: Day };

/**
 * Opens the payment of one renewal, for links that are opened any number of times: the charge that waits for the account holder's
 * authentication, else the payment begun earlier, else a new one. At most one is open afterwards.
 *
 * @param input.endDate the end that the renewal moves; null for the present one
 * @param input.withAnotherCard leaves out the charge that waits for the authentication of the saved card
 * @throws the errors of `renewSubscription`
 * @throws conflict while the renewal is being paid
 */
export const payRenewal = async (
  ctx: World & Pick<Context, "log">,
  caller: Caller,
  input: { id: number; endDate: Day | null; withAnotherCard: boolean },
): Promise<RenewalPayment> => {
  const { endDate } = await ownRow(ctx, caller, input.id);
  if (input.endDate !== null && input.endDate < endDate) return { paidUntil: endDate };
  const { row, today } = await payable(ctx, caller, input.id);
  const isWanted = (order: OpenRenewal) =>
    order.isSingle &&
    order.term === row.renewalTerm &&
    order.expiresAt > ctx.clock.now() &&
    !(input.withAnotherCard && order.isRenewalCharge);
  let orderId: number | null = null;
  for (const order of await openRenewals(ctx, row.id)) {
    if (orderId === null && isWanted(order) && (await isPayable(ctx, order))) orderId = order.id;
    else if (!(await cancelOrder(ctx, order))) await settleOrRefuse(ctx, order);
  }
  const { endDate: paidUntil } = await ownRow(ctx, caller, input.id);
  if (paidUntil > row.endDate) return { paidUntil };
  if (orderId !== null) return { orderId };
  const lines = await renewalLines(ctx, caller, row, row.renewalTerm, today);
  return openOrder(ctx, caller.account, async (tx) => {
    if ((await openRenewals({ db: tx }, row.id)).length > 0)
      throw conflict("Another request is opening this renewal. Try again in a minute");
    return { ...ordered(row, "renewal"), lines };
  });
};

type OpenRenewal = Awaited<ReturnType<typeof openRenewals>>[number];

/** For an order that cannot be cancelled any more. */
const settleOrRefuse = async (ctx: World & Pick<Context, "log">, { paymentIntentId }: OpenRenewal): Promise<void> => {
  if (paymentIntentId !== null && (await settleIntent(ctx, paymentIntentId))) return;
  throw conflict("The payment of this renewal is being processed. Check again in a minute");
};

const renewalLines = async (
  ctx: World,
  caller: Caller,
  row: SubscriptionRow,
  term: Term,
  today: Day,
): Promise<NewOrderLine[]> => {
  const line = await quoteOf(ctx, row, term, today);
  if (!isRunning(statusOn(today, row))) {
    const [newer] = await queries.runningToPeriods(ctx.db, caller.account.id, [line.periodId], today);
    if (newer) throw conflict(`Subscription ${newer.id} to the same period is active. Renew that one`);
  }
  return [{ ...line, subscriptionId: row.id, creditCents: 0, creditedThroughTermId: null }];
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
  if (status === "expired") throw conflict("The subscription has expired. Renew it instead");
  if (status === "cancelled") throw conflict("The subscription is cancelled. Resume it first");
  if (row.term === input.term) throw conflict("The subscription already has this term. Renew it to extend it");
  await cancelOpenTermChanges(ctx, row.id);
  const line = await quoteOf(ctx, row, input.term, today);
  // The account is locked, so that no payment can come between computing the credit and writing the order.
  const order = await openOrder(ctx, caller.account, async (tx, now) => {
    const credit = await creditOf(tx, row.id, dayOf(now));
    const totalCents = line.totalCents - credit.creditCents;
    if (totalCents < smallestChargeCents) {
      throw conflict(
        `The unused days are worth ${credit.creditCents} cents and the new term costs ${line.totalCents}: nothing is left to pay, and payments are not refunded. Set renewal_term instead to change the term at the next renewal`,
      );
    }
    return { ...ordered(row, "term_change"), lines: [{ ...line, subscriptionId: row.id, ...credit, totalCents }] };
  });
  return { ...order, creditCents: order.lines.reduce((sum, { creditCents }) => sum + creditCents, 0) };
};

const ownRow = async (ctx: World, { account }: Caller, id: number): Promise<SubscriptionRow> => {
  const [row] = await queries.findByIds(ctx.db, [id]);
  if (row?.accountId !== account.id) throw notFound("Subscription");
  return row;
};

const payable = async (ctx: World, caller: Caller, id: number): Promise<{ row: SubscriptionRow; today: Day }> => {
  requireGoodStanding(caller.account);
  const row = await ownRow(ctx, caller, id);
  if (await queries.hasPendingCharge(ctx.db, id)) {
    throw conflict("The subscription's automatic renewal is being charged. Try again in a minute");
  }
  return { row, today: dayOf(ctx.clock.now()) };
};

const quoteOf = async (ctx: World, row: SubscriptionRow, term: Term, today: Day): Promise<QuoteLine> => {
  const [line] = await renewalQuotes(ctx, [{ subscription: row, term, on: today }]);
  if (!line) throw conflict("The route no longer has a period on sale");
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
