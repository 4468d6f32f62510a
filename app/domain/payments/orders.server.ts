/** Orders: opened with a payment intent, closed by a payment. */
import type { Tx } from "../../platform/db.server.ts";
import type { Account } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { conflict } from "../errors.ts";
import { currency } from "../money.ts";
import type { PaymentIntent } from "./gateway.ts";
import { type NewOrder, type Order, priceLockHours, smallestChargeCents } from "./order.ts";
import * as queries from "./queries.server.ts";

export type OpenOrder = { orderId: number; amountCents: number; currency: string; intent: PaymentIntent };

/**
 * Locks the price for a day and asks the payment provider for an intent over it.
 *
 * @throws conflict below the smallest amount that a card can be charged
 * @throws unavailable when the payment provider is away; nothing has been charged then
 */
export const openOrder = async (
  ctx: Pick<Context, "db" | "clock" | "payments">,
  account: Account,
  order: NewOrder,
): Promise<OpenOrder> => {
  const amountCents = order.lines.reduce((sum, line) => sum + line.totalCents, 0);
  if (amountCents < smallestChargeCents) {
    throw conflict("The amount is below the smallest that a card can be charged; contact sales");
  }
  const createdAt = ctx.clock.now();
  const customerId = await customerOf(ctx, account);
  const orderId = await ctx.db.transaction((tx) =>
    queries.insertOrder(
      tx,
      {
        accountId: account.id,
        kind: order.kind,
        currency,
        amountCents,
        autoRenew: order.autoRenew,
        createdAt,
        expiresAt: new Date(createdAt.getTime() + priceLockHours * 3_600_000),
      },
      order.lines,
    ),
  );
  const intent = await ctx.payments.createIntent(
    { amountCents, currency, customerId, orderId, saveCard: order.autoRenew, description: order.description },
    `order-${orderId}`,
  );
  await queries.setPaymentIntent(ctx.db, orderId, intent.id);
  return { orderId, amountCents, currency, intent };
};

const customerOf = async (ctx: Pick<Context, "db" | "payments">, account: Account): Promise<string> => {
  const known = await queries.findCustomerId(ctx.db, account.id);
  if (known) return known;
  const { id } = await ctx.payments.createCustomer(
    { email: account.email, accountId: account.id },
    `customer-${account.id}`,
  );
  await queries.setCustomerId(ctx.db, account.id, id);
  return id;
};

/** Writes down, in the transaction that hands over what was bought, that it was paid: payment, invoice, card. */
export const closeOrder = async (tx: Tx, order: Order, intent: PaymentIntent, now: Date): Promise<void> => {
  if (intent.amountCents !== order.amountCents || intent.currency.toUpperCase() !== order.currency) {
    throw new Error(`Payment intent ${intent.id} is not over the amount of order ${order.id}`);
  }
  await queries.setPaid(tx, order.id, now);
  await queries.insertPayment(tx, {
    accountId: order.accountId,
    orderId: order.id,
    paymentIntentId: intent.id,
    chargeId: intent.chargeId,
    currency: order.currency,
    amountCents: order.amountCents,
    cardBrand: intent.card?.brand ?? null,
    cardLast4: intent.card?.last4 ?? null,
    paidAt: now,
  });
  const year = now.getUTCFullYear();
  await queries.insertInvoice(tx, {
    accountId: order.accountId,
    orderId: order.id,
    kind: "invoice",
    year,
    number: await queries.nextInvoiceNumber(tx, year),
    currency: order.currency,
    amountCents: order.amountCents,
    issuedAt: now,
  });
  if (order.autoRenew && intent.card) {
    const { paymentMethodId, ...card } = intent.card;
    await queries.saveCard(tx, {
      ...card,
      accountId: order.accountId,
      stripePaymentMethodId: paymentMethodId,
      isDefault: true,
      createdAt: now,
    });
  }
};

/** Whose order this intent pays; null for none of ours. */
export const orderOwner = (ctx: Pick<Context, "db">, paymentIntentId: string) =>
  queries.findOrderOwner(ctx.db, paymentIntentId);

export const lockOrder = queries.lockOrder;

/** One order of the account with its lines; null when there is none, or it is somebody else's. */
export const orderOf = (ctx: Pick<Context, "db">, accountId: number, orderId: number) =>
  queries.findOrder(ctx.db, accountId, orderId);
