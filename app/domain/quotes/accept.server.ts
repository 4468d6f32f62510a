import type { Tx } from "../../platform/db.server.ts";
import { recordAudit } from "../accounts/audit.server.ts";
import { type Caller, requireGoodStanding } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { conflict } from "../errors.ts";
import type { NewOrder } from "../payments/order.ts";
import { cancelOrder, openOrder, orderOfQuote } from "../payments/orders.server.ts";
import { monthsOf } from "../pricing/discounts.ts";
import { counted } from "../wording.ts";
import { periodsOnSale } from "./lines-on-sale.server.ts";
import { notifyOperators } from "./mail.server.ts";
import * as queries from "./queries.server.ts";
import type { QuoteState } from "./quote.ts";
import { getQuote, lockOwnQuote } from "./request.server.ts";

type World = Pick<Context, "db" | "clock" | "payments" | "rateLimiter" | "settings" | "tax">;
type Input = { id: number; offerNumber: number; autoRenew: boolean };

/**
 * Accepts an offer and opens an order at exactly its prices. Repetitions return the same order; once that was cancelled
 * unpaid, they open another one, as long as the offer is valid.
 *
 * @param input.offerNumber the offer that the account holder has read
 * @returns the order to pay, or the paid one
 * @throws not_found
 * @throws conflict if the quote has no offer, has expired or ended, was changed since it was read, or a route is not on
 *   sale any more; also what `openOrder` throws
 * @throws forbidden for a suspended account
 */
export const acceptQuote = async (ctx: World, caller: Caller, input: Input): Promise<{ orderId: number }> => {
  requireGoodStanding(caller.account);
  await getQuote(ctx, caller, input);
  const orderId = (await payableOrder(ctx, input.id)) ?? (await orderNow(ctx, caller, input));
  return { orderId };
};

/** An order whose payment is not even prepared after this time was left behind by a failure. */
const abandonedAfterMs = 60_000;

/** The quote's order, unless it can no longer be paid: then it is cancelled. */
const payableOrder = async (ctx: World, quoteId: number): Promise<number | null> => {
  const order = await orderOfQuote(ctx.db, quoteId);
  if (order?.status !== "pending") return order?.id ?? null;
  const now = ctx.clock.now();
  if (order.paymentIntentId === null && now.getTime() - order.createdAt.getTime() < abandonedAfterMs) {
    throw conflict("The payment of this quote is being prepared. Try again in a minute");
  }
  if (order.paymentIntentId !== null && now < order.expiresAt) return order.id;
  return (await cancelOrder(ctx, order)) ? null : order.id;
};

const orderNow = async (ctx: World, caller: Caller, input: Input): Promise<number> => {
  try {
    const { orderId } = await openOrder(ctx, caller.account, (tx, now) => compose(tx, ctx, caller, input, now));
    return orderId;
  } catch (error) {
    if (error instanceof AlreadyOrdered) return error.orderId;
    throw error;
  }
};

/** A concurrent request has opened the order. */
class AlreadyOrdered extends Error {
  readonly orderId: number;
  constructor(orderId: number) {
    super(`The order ${orderId} was opened concurrently`);
    this.orderId = orderId;
  }
}

/** Runs with the account locked, so that the quote has at most one order. */
const compose = async (tx: Tx, ctx: World, caller: Caller, input: Input, now: Date): Promise<NewOrder> => {
  const quote = await lockOwnQuote(tx, caller, input.id, now);
  if (quote.orderId !== null) throw new AlreadyOrdered(quote.orderId);
  if (!quote.offer || (quote.state !== "offered" && quote.state !== "accepted")) throw conflict(refusals[quote.state]);
  if (quote.offerNumber !== input.offerNumber) {
    throw conflict("The offer has changed since you opened this page. Read it, then accept it again");
  }
  const lines = await queries.linesOf(tx, quote.id);
  const periodOf = await periodsOnSale({ ...ctx, db: tx }, lines);
  if (quote.state === "offered") {
    await queries.setQuote(tx, quote.id, { status: "accepted", acceptedAt: now });
    await recordAudit(tx, caller, "quote.accepted", now, { quote_id: quote.id, amount_cents: quote.totalCents });
    await notifyOperators(tx, ctx, quote, "accepted", "", now);
  }
  const { discountPercent: percent, keepsDiscount, discountThrough: through, offeredBy: agreedBy } = quote.offer;
  return {
    kind: "purchase",
    autoRenew: input.autoRenew,
    description: `Shipping route data, quote ${quote.id}, ${counted(lines.length, "route")}`,
    quoteId: quote.id,
    volumeAgreement: keepsDiscount ? { percent, through, agreedBy } : null,
    lines: lines.map(({ id: _, routeName: __, routeCode: ___, ...line }) => ({
      ...line,
      periodId: periodOf(line).id,
      months: monthsOf[line.term],
      volumeDiscountReason: { kind: "quote", quoteId: quote.id },
      subscriptionId: null,
      creditCents: 0,
      creditedThroughTermId: null,
    })),
  };
};

const refusals = {
  requested: "The quote has no offer yet",
  offered: "The quote has no offer yet",
  accepted: "The quote has no offer yet",
  paid: "The quote is paid",
  declined: "The quote was declined",
  expired: "The offer has expired. Request a new quote",
  withdrawn: "The quote was withdrawn",
} as const satisfies Record<QuoteState, string>;
