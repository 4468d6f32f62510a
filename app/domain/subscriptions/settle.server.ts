/**
 * From a payment to subscriptions, exactly once, whoever notices the payment first and however often: the caller's
 * payment-success, its repetition, or the payment provider's webhook.
 *
 * @spec Endpoints (POST /subscriptions/payment-success)
 */
import type { Tx } from "../../platform/db.server.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { conflict, notFound } from "../errors.ts";
import type { PaymentIntent } from "../payments/gateway.ts";
import type { Order, OrderLine } from "../payments/order.ts";
import { closeOrder, lockOrder, orderOwner } from "../payments/orders.server.ts";
import { listSubscriptions } from "./list.server.ts";
import * as queries from "./queries.server.ts";
import type { Subscription } from "./subscription.ts";
import { beginTerm, extendTerm } from "./term.ts";

type World = Pick<Context, "db" | "clock" | "payments">;

/**
 * The account holder says that the payment went through; the payment provider is asked.
 *
 * @returns the subscriptions that the order made or extended, the same on repetition
 * @throws not_found when no order of this account is paid by the intent
 * @throws conflict naming the intent's status unless it has succeeded
 */
export const confirmPayment = async (
  ctx: World,
  caller: Caller,
  input: { paymentIntentId: string },
): Promise<Subscription[]> => {
  const owner = await orderOwner(ctx, input.paymentIntentId);
  if (owner?.accountId !== caller.account.id) throw notFound("Payment intent");
  const intent = await ctx.payments.getIntent(input.paymentIntentId);
  if (intent.status !== "succeeded") {
    throw conflict(`The payment has not succeeded: the payment intent's status is ${intent.status}`);
  }
  const ids = await settle(ctx, owner, intent);
  return (await listSubscriptions(ctx, caller)).filter(({ id }) => ids.includes(id)).toReversed();
};

/** The payment provider says so. Intents that pay no order of ours are none of our business. */
export const settleIntent = async (ctx: World, paymentIntentId: string): Promise<void> => {
  const owner = await orderOwner(ctx, paymentIntentId);
  if (!owner) return;
  const intent = await ctx.payments.getIntent(paymentIntentId);
  if (intent.status === "succeeded") await settle(ctx, owner, intent);
};

const settle = (ctx: World, owner: { orderId: number; accountId: number }, intent: PaymentIntent): Promise<number[]> =>
  ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, owner);
    if (order.status === "pending") {
      const now = ctx.clock.now();
      await closeOrder(tx, order, intent, now);
      for (const line of order.lines) await handOver(tx, order, line, now);
    }
    return queries.idsPaidBy(
      tx,
      order.lines.map(({ id }) => id),
    );
  });

/** What is running is extended, else a subscription begins today. */
const handOver = async (tx: Tx, order: Order, line: OrderLine, now: Date): Promise<void> => {
  const today = dayOf(now);
  const running = await queries.lockRunning(tx, order.accountId, line.periodId, today);
  if (!running) {
    const paid = beginTerm(today, line.term);
    const id = await queries.insertSubscription(tx, {
      ...terms(order, line),
      ...paid,
      accountId: order.accountId,
      routeId: line.routeId,
      periodId: line.periodId,
      startDate: today,
      createdAt: now,
    });
    await writeTerm(tx, id, line, today, paid.endDate);
    return;
  }
  const paid = extendTerm(running, line.term);
  await queries.updateSubscription(tx, running.id, { ...terms(order, line), ...paid, cancelledAt: null });
  await writeTerm(tx, running.id, line, running.endDate, paid.endDate);
};

const terms = (order: Order, line: OrderLine) => ({
  term: line.term,
  renewalTerm: line.term,
  autoRenew: order.autoRenew,
});

const writeTerm = (tx: Tx, subscriptionId: number, line: OrderLine, startDate: Day, endDate: Day) =>
  queries.insertPaidTerm(tx, {
    subscriptionId,
    orderLineId: line.id,
    term: line.term,
    startDate,
    endDate,
    totalCents: line.totalCents,
  });
