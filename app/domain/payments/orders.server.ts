/** Orders: opened with a payment intent, closed by a payment. */
import type { Tx } from "../../platform/db.server.ts";
import type { Account } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { conflict, forbidden, Refusal } from "../errors.ts";
import { currency } from "../money.ts";
import type { IntentStatus, PaymentIntent } from "./gateway.ts";
import { invoiceNumber } from "./invoices.server.ts";
import {
  maxOpenOrders,
  type NewOrder,
  type NewOrderLine,
  type Order,
  priceLockHours,
  type ReturnReason,
  smallestChargeCents,
} from "./order.ts";
import * as queries from "./queries.server.ts";

export type OpenOrder = {
  orderId: number;
  amountCents: number;
  currency: string;
  lines: NewOrderLine[];
  intent: PaymentIntent;
};

/** Says what is ordered, in the transaction that writes it down, with the account locked. */
export type Compose = (tx: Tx, now: Date) => Promise<NewOrder>;

/**
 * Locks the price for a day and asks the payment provider for an intent over it. Beyond `maxOpenOrders` of an account, the
 * oldest that nobody is paying is withdrawn: who begins anew is not held up by what was left behind.
 *
 * Closing or suspending the account and this wait for each other: there is no order that they have not seen, and an
 * intent whose order is withdrawn while it is made is told to nobody.
 *
 * @throws what `compose` throws
 * @throws conflict below the smallest amount that a card can be charged, when the same was begun elsewhere meanwhile, when
 *   the account was closed, and while as many orders as an account may have are being paid
 * @throws forbidden when the account was suspended
 * @throws unavailable when the payment provider is away; nothing has been charged then
 */
export const openOrder = async (
  ctx: Pick<Context, "db" | "clock" | "payments">,
  account: Account,
  compose: Compose,
): Promise<OpenOrder> => {
  const { orderId, order } = await placeOrder(ctx, account.id, compose);
  const amountCents = amountOf(order.lines);
  const customerId = await customerOf(ctx, account);
  const intent = await ctx.payments.createIntent(
    { amountCents, currency, customerId, orderId, saveCard: order.autoRenew, description: order.description },
    `order-${orderId}`,
  );
  if (!(await queries.setPaymentIntent(ctx.db, orderId, intent.id))) {
    // The order was withdrawn meanwhile: nobody is to pay for what is not there any more.
    await ctx.payments.cancelIntent(intent.id);
    throw begunElsewhere();
  }
  return { orderId, amountCents, currency, lines: order.lines, intent };
};

/** Others may take the room that was made; then more is made. */
const placingTries = 3;

const placeOrder = async (
  ctx: Pick<Context, "db" | "clock" | "payments">,
  accountId: number,
  compose: Compose,
): Promise<{ orderId: number; order: NewOrder }> => {
  for (let tries = 0; tries < placingTries; tries += 1) {
    await makeRoom(ctx, accountId);
    const placed = await ctx.db.transaction(async (tx) => {
      const now = ctx.clock.now();
      const account = await queries.lockOpenAccount(tx, accountId);
      if (!account) throw conflict("The account was closed meanwhile");
      if (account.standing === "suspended") throw forbidden();
      if ((await queries.pendingOrders(tx, accountId)).length >= maxOpenOrders) return null;
      const order = await compose(tx, now);
      if (amountOf(order.lines) < smallestChargeCents) {
        throw conflict("The amount is below the smallest that a card can be charged; contact sales");
      }
      if (order.kind === "term_change") await refuseSecondChange(tx, order.lines);
      return { orderId: await writeOrder(tx, accountId, order, now), order };
    });
    if (placed) return placed;
  }
  throw conflict(
    `${maxOpenOrders} orders of this account are being paid or opened at this moment. Try again in a minute`,
  );
};

/** Withdraws the oldest orders until there is room for one more; those that are being paid stay. */
const makeRoom = async (ctx: Pick<Context, "db" | "payments">, accountId: number): Promise<void> => {
  const open = await queries.pendingOrders(ctx.db, accountId);
  let tooMany = open.length - maxOpenOrders + 1;
  for (const order of open) {
    if (tooMany <= 0) return;
    if (await cancelOrder(ctx, order)) tooMany -= 1;
  }
};

/** Each change credits the same unused days: of two that are begun at once, one is. */
const refuseSecondChange = async (tx: Tx, lines: NewOrder["lines"]): Promise<void> => {
  for (const { subscriptionId } of lines) {
    if (subscriptionId === null) continue;
    if ((await queries.openOrders(tx, subscriptionId, "term_change")).length > 0) throw begunElsewhere();
  }
};

const begunElsewhere = () => conflict("The same was begun elsewhere at this moment. Begin again");

/** Writes a pending order, whose price is locked for `priceLockHours`. @returns its id */
export const writeOrder = (tx: Tx, accountId: number, order: NewOrder, createdAt: Date): Promise<number> =>
  queries.insertOrder(
    tx,
    {
      accountId,
      kind: order.kind,
      currency,
      amountCents: amountOf(order.lines),
      autoRenew: order.autoRenew,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + priceLockHours * 3_600_000),
    },
    order.lines,
  );

const amountOf = (lines: NewOrder["lines"]): number => lines.reduce((sum, line) => sum + line.totalCents, 0);

/** The account's customer at the payment provider, made when it is first needed. */
export const customerOf = async (ctx: Pick<Context, "db" | "payments">, account: Account): Promise<string> => {
  const known = await queries.findCustomerId(ctx.db, account.id);
  if (known) return known;
  const { id } = await ctx.payments.createCustomer(
    { email: account.email, accountId: account.id },
    `customer-${account.id}`,
  );
  await queries.setCustomerId(ctx.db, account.id, id);
  return id;
};

/**
 * Writes down, in the transaction that hands over what was bought, that it was paid: payment, invoice, card.
 *
 * @param outcome.returnReason why the payment is refunded instead
 * @param outcome.keepCard whether renewals are charged to the card from now on, if the order renews and the card is saved
 * @returns the invoice's number
 */
export const closeOrder = async (
  tx: Tx,
  order: Order,
  intent: PaymentIntent,
  now: Date,
  outcome: { returnReason: ReturnReason | null; keepCard: boolean },
): Promise<string> => {
  if (intent.amountCents !== order.amountCents || intent.currency.toUpperCase() !== order.currency) {
    throw new Error(`Payment intent ${intent.id} is not over the amount of order ${order.id}`);
  }
  const { returnReason } = outcome;
  await queries.setPaid(tx, order.id, { paymentIntentId: intent.id, paidAt: now, returnReason });
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
  const number = await queries.nextInvoiceNumber(tx, year);
  await queries.insertInvoice(tx, {
    accountId: order.accountId,
    orderId: order.id,
    kind: "invoice",
    year,
    number,
    currency: order.currency,
    amountCents: order.amountCents,
    issuedAt: now,
  });
  // A card that was removed while its payment was under way stays removed.
  if (outcome.keepCard && order.autoRenew && intent.card?.customerId) {
    const { paymentMethodId, customerId: _, ...card } = intent.card;
    await queries.saveCard(tx, {
      ...card,
      accountId: order.accountId,
      stripePaymentMethodId: paymentMethodId,
      isDefault: true,
      createdAt: now,
    });
  }
  return invoiceNumber(year, number);
};

/** Whose order this intent pays, and what became of it; null for none of ours. */
export const orderOwner = (ctx: Pick<Context, "db">, paymentIntentId: string) =>
  queries.findOrderOwner(ctx.db, paymentIntentId);

/**
 * The same for an intent as the provider has it. One that was charged off-session is not yet on its order's record
 * when the provider reports it first: it is known by the order that we named when it was made.
 */
export const ownerOfIntent = async (ctx: Pick<Context, "db">, intent: PaymentIntent) =>
  (await queries.findOrderOwner(ctx.db, intent.id)) ??
  (intent.orderId === null || intent.customerId === null
    ? null
    : await queries.findOwnerByCustomer(ctx.db, intent.orderId, intent.customerId));

/**
 * Takes back the changes of a subscription's term that were begun and not paid, so that no credit is given twice.
 *
 * @throws conflict when one has been paid meanwhile
 */
export const cancelOpenTermChanges = async (
  ctx: Pick<Context, "db" | "payments">,
  subscriptionId: number,
): Promise<void> => {
  for (const order of await queries.openOrders(ctx.db, subscriptionId, "term_change")) {
    if (!(await cancelOrder(ctx, order)))
      throw conflict("A change of the term is being paid already; see the subscription");
  }
};

/**
 * Takes back the renewals of a subscription that its holder has begun and not paid.
 *
 * @returns the payment intents of those that have been paid meanwhile, or are being paid
 */
export const cancelOpenRenewals = async (
  ctx: Pick<Context, "db" | "payments">,
  subscriptionId: number,
): Promise<string[]> => {
  const paying: string[] = [];
  for (const order of await queries.openOrders(ctx.db, subscriptionId, "renewal")) {
    if (!(await cancelOrder(ctx, order)) && order.paymentIntentId !== null) paying.push(order.paymentIntentId);
  }
  return paying;
};

/**
 * Withdraws what an account has not paid yet.
 *
 * @returns false when a payment has gone through or is under way: it is to be settled first
 */
export const cancelOpenOrders = async (ctx: Pick<Context, "db" | "payments">, accountId: number): Promise<boolean> => {
  for (const order of await queries.pendingOrders(ctx.db, accountId)) {
    if (!(await cancelOrder(ctx, order))) return false;
  }
  return true;
};

/**
 * Withdraws what a suspended account has begun to pay: it may not buy. What cannot be withdrawn now, as the payment
 * provider is away, is withdrawn by the hourly job, and what is paid before that is refunded.
 */
export const cancelOpenOrdersOfSuspended = async (
  ctx: Pick<Context, "db" | "payments" | "log">,
  accountId: number,
): Promise<void> => {
  for (const order of await queries.pendingOrders(ctx.db, accountId)) {
    try {
      await cancelOrder(ctx, order);
    } catch (error) {
      ctx.log.warn("An order of a suspended account was not withdrawn", { order_id: order.id, reason: String(error) });
      if (error instanceof Refusal && error.code === "unavailable") return;
    }
  }
};

/**
 * Orders that can buy nothing any more, newest first: their price is no longer locked, or their account is suspended.
 *
 * @param page.beforeId the last one that was seen
 */
export const expiredOrders = (
  ctx: Pick<Context, "db" | "clock">,
  page: { beforeId: number | null; limit: number },
): Promise<PendingOrder[]> => queries.selectExpiredOrders(ctx.db, ctx.clock.now(), page);

export type PendingOrder = queries.PendingOrder;

/**
 * Cancels the order's payment intent, then deletes the order.
 *
 * @returns false when the payment has gone through or is under way
 * @throws unavailable when the payment provider is away
 */
export const cancelOrder = async (ctx: Pick<Context, "db" | "payments">, order: PendingOrder): Promise<boolean> => {
  if (order.paymentIntentId !== null) {
    const status = await statusOnceCancelled(ctx, order.paymentIntentId);
    if (status !== "canceled" && status !== "unknown") return false;
  }
  if (await queries.deletePendingOrder(ctx.db, order)) return true;
  // It is gone, or its intent has come in between.
  const asItIsNow = await queries.findPendingOrder(ctx.db, order.id);
  return asItIsNow === null || cancelOrder(ctx, asItIsNow);
};

/** `unknown`: the provider has no such intent, and so nobody can pay it. */
const statusOnceCancelled = async (ctx: Pick<Context, "payments">, id: string): Promise<IntentStatus | "unknown"> => {
  try {
    return (await ctx.payments.cancelIntent(id)).status;
  } catch (error) {
    if (error instanceof Refusal && error.code === "not_found") return "unknown";
    throw error;
  }
};

export const lockOrder = queries.lockOrder;

/** One order of the account with its lines; null when there is none, or it is somebody else's. */
export const orderOf = (ctx: Pick<Context, "db">, accountId: number, orderId: number) =>
  queries.findOrder(ctx.db, accountId, orderId);
