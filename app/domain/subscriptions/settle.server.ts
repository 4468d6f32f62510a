/**
 * From a payment to subscriptions, exactly once, whoever notices the payment first and however often: the caller's
 * payment-success, its repetition, or the payment provider's webhook.
 *
 * @spec Endpoints (POST /subscriptions/payment-success)
 */
import type { Tx } from "../../platform/db.server.ts";
import { recordAct, recordServicesAct } from "../accounts/audit.server.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { conflict, notFound } from "../errors.ts";
import { receipt } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import type { PaymentIntent } from "../payments/gateway.ts";
import type { Order, OrderLine } from "../payments/order.ts";
import { closeOrder, lockOrder, orderOwner, ownerOfIntent } from "../payments/orders.server.ts";
import { type HandedOver, handOver } from "./hand-over.server.ts";
import { listSubscriptions } from "./list.server.ts";
import * as queries from "./queries.server.ts";
import type { Subscription } from "./subscription.ts";

type World = Pick<Context, "db" | "clock" | "payments" | "settings">;

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
  const intent = await ctx.payments.getIntent(paymentIntentId);
  const owner = await ownerOfIntent(ctx, intent);
  if (owner && intent.status === "succeeded") await settle(ctx, owner, intent);
};

/**
 * Hands over what a succeeded intent has paid for, once.
 *
 * @returns the ids of the subscriptions that the order has made or changed, the same on repetition
 */
export const settle = (
  ctx: Pick<Context, "db" | "clock" | "settings">,
  owner: { orderId: number; accountId: number },
  intent: PaymentIntent,
): Promise<number[]> =>
  ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, owner);
    if (order.status === "pending") {
      const now = ctx.clock.now();
      const invoice = await closeOrder(tx, order, intent, now);
      const handedOver: (HandedOver & OrderLine)[] = [];
      for (const line of order.lines) handedOver.push({ ...line, ...(await handOver(tx, order, line, now)) });
      await recordPayment(tx, order, invoice, handedOver, now);
      await queries.markChargeSucceeded(tx, order.id, now);
      await mailReceipt(tx, ctx.settings.appUrl, order, invoice, handedOver, now);
    }
    return queries.idsPaidBy(
      tx,
      order.lines.map(({ id }) => id),
    );
  });

/** A renewal that was charged by itself is the service's doing; every other order was opened by the holder. */
const recordPayment = async (
  tx: Tx,
  { id, accountId, kind, amountCents, currency }: Order,
  invoice: string,
  [first, ...others]: HandedOver[],
  now: Date,
): Promise<void> => {
  const details = {
    order_id: id,
    kind,
    invoice,
    amount_cents: amountCents,
    currency,
    subscriptions: others.length + 1,
    subscription_id: others.length === 0 ? (first?.subscriptionId ?? null) : null,
  };
  if (await queries.chargeOfOrder(tx, id)) await recordServicesAct(tx, accountId, "order.paid", now, details);
  else await recordAct(tx, { account: { id: accountId } }, "order.paid", now, details);
};

const mailReceipt = async (
  tx: Tx,
  appUrl: string,
  order: Order,
  invoice: string,
  handedOver: (HandedOver & OrderLine)[],
  now: Date,
): Promise<void> => {
  const subscriptions = await queries.findByIds(
    tx,
    handedOver.map(({ subscriptionId }) => subscriptionId),
  );
  const names = new Map(subscriptions.map(({ id, routeName }) => [id, routeName]));
  const lines = handedOver.map((line) => ({ ...line, routeName: names.get(line.subscriptionId) ?? "" }));
  const mail = receipt(appUrl, { invoice, amountCents: order.amountCents, currency: order.currency, lines });
  await enqueue(tx, { ...mail, dedupeKey: `receipt:order-${order.id}`, accountId: order.accountId }, now);
};
