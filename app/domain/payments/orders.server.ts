/** Opens orders with a payment intent, closes them when they are paid, and cancels those that are not. */
import type { Tx } from "../../platform/db.server.ts";
import { setCustomerId } from "../accounts/account-changes.server.ts";
import { type Account, type Caller, requireGoodStanding } from "../accounts/caller.ts";
import { buyerAtIssue } from "../billing-details/billing-details.ts";
import { billingDetailsOf } from "../billing-details/manage.server.ts";
import type { Context } from "../context.ts";
import { conflict, notFound, Refusal } from "../errors.ts";
import { currency } from "../money.ts";
import { taxesByRate } from "../tax/tax.ts";
import type { Tax } from "../tax/tax-line.ts";
import { requireFewDeclines } from "./decline-limit.server.ts";
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
import { taxOrder } from "./tax-order.server.ts";

export type OpenOrder = {
  orderId: number;
  /** With tax: what is charged. */
  amountCents: number;
  taxCents: number;
  currency: string;
  lines: (NewOrderLine & { taxes: Tax[] })[];
  intent: PaymentIntent;
};

/** Builds the order, in the transaction that inserts it and with the account locked. */
export type Compose = (tx: Tx, now: Date) => Promise<NewOrder>;

/**
 * Locks the price for `priceLockHours` and creates a payment intent for it. When the account already has `maxOpenOrders` open orders,
 * the oldest that is not being paid is cancelled, so that abandoned checkouts do not block a new one.
 *
 * The account's lock serializes this with closing or suspending the account, so neither can miss an order. An intent whose
 * order is cancelled while it is being created is cancelled too and never returned.
 *
 * @throws what `compose` throws
 * @throws conflict below the minimum charge, when the same order was started elsewhere in the meantime, when the account
 *   was closed, and while `maxOpenOrders` orders are being paid
 * @throws forbidden when the account was suspended
 * @throws rate_limited when too many of the account's cards were declined in this hour
 * @throws unavailable when the payment or tax provider cannot be reached; nothing has been charged then
 */
export const openOrder = async (
  ctx: Pick<Context, "db" | "clock" | "payments" | "rateLimiter" | "tax">,
  account: Account,
  compose: Compose,
): Promise<OpenOrder> => {
  await requireFewDeclines(ctx, account);
  const { orderId, order } = await placeOrder(ctx, account.id, compose);
  const { amountCents, taxCents, taxes, taxCalculationId } = ctx.tax
    ? await taxOrder(ctx, { orderId, accountId: account.id })
    : { amountCents: netOf(order), taxCents: 0, taxes: [], taxCalculationId: null };
  const customerId = await customerOf(ctx, account);
  const intent = await ctx.payments.createIntent(
    {
      amountCents,
      currency,
      customerId,
      orderId,
      saveCard: order.autoRenew,
      description: order.description,
      taxCalculationId,
    },
    `order-${orderId}`,
  );
  if (!(await queries.setPaymentIntent(ctx.db, orderId, intent.id))) {
    // The order was cancelled in the meantime, so its intent must not be payable.
    await ctx.payments.cancelIntent(intent.id);
    throw startedElsewhere();
  }
  const lines = order.lines.map((line, index) => ({ ...line, taxes: taxes[index] ?? [] }));
  return { orderId, amountCents, taxCents, currency, lines, intent };
};

/** Concurrent requests may take the slot that was freed, so try again. */
const maxAttempts = 3;

const placeOrder = async (
  ctx: Pick<Context, "db" | "clock" | "payments" | "tax">,
  accountId: number,
  compose: Compose,
): Promise<{ orderId: number; order: NewOrder }> => {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    await cancelOldestOrders(ctx, accountId);
    const placed = await ctx.db.transaction(async (tx) => {
      const now = ctx.clock.now();
      const account = await queries.lockOpenAccount(tx, accountId);
      if (!account) throw conflict("The account has been closed");
      requireGoodStanding(account);
      if ((await queries.pendingOrders(tx, accountId)).length >= maxOpenOrders) return null;
      const order = await compose(tx, now);
      if (netOf(order) < smallestChargeCents) {
        throw conflict("The amount is below the minimum card charge. Contact sales");
      }
      if (order.kind === "term_change") await refuseSecondChange(tx, order.lines);
      return { orderId: await writeOrder(tx, ctx, accountId, order, now), order };
    });
    if (placed) return placed;
  }
  throw conflict(
    `${maxOpenOrders} orders of this account are being paid or opened at this moment. Try again in a minute`,
  );
};

/** Cancels the oldest orders until one more fits. Orders that are being paid are kept. */
const cancelOldestOrders = async (ctx: Pick<Context, "db" | "payments">, accountId: number): Promise<void> => {
  const open = await queries.pendingOrders(ctx.db, accountId);
  let excess = open.length - maxOpenOrders + 1;
  for (const order of open) {
    if (excess <= 0) return;
    if (await cancelOrder(ctx, order)) excess -= 1;
  }
};

/** Two open changes would credit the same unused days twice, so of two concurrent ones only the first is accepted. */
const refuseSecondChange = async (tx: Tx, lines: NewOrder["lines"]): Promise<void> => {
  for (const { subscriptionId } of lines) {
    if (subscriptionId === null) continue;
    if ((await queries.openOrders(tx, subscriptionId, "term_change")).length > 0) throw startedElsewhere();
  }
};

const startedElsewhere = () => conflict("Another request started the same order at the same time. Try again");

/**
 * Inserts a pending order, whose price is locked for `priceLockHours`. If there is a tax provider, `taxOrder` must come
 * before the charge.
 *
 * @returns its id
 */
export const writeOrder = (
  tx: Tx,
  ctx: Pick<Context, "tax">,
  accountId: number,
  order: NewOrder,
  createdAt: Date,
): Promise<number> =>
  queries.insertOrder(
    tx,
    {
      accountId,
      kind: order.kind,
      currency,
      amountCents: netOf(order),
      taxedAt: ctx.tax ? null : createdAt,
      autoRenew: order.autoRenew,
      quoteId: order.quoteId ?? null,
      volumeAgreement: order.volumeAgreement ?? null,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + priceLockHours * 3_600_000),
    },
    order.lines,
    order.planLine,
  );

/** Before tax. */
const netOf = ({ lines, planLine }: NewOrder): number =>
  lines.reduce((sum, line) => sum + line.totalCents, planLine?.totalCents ?? 0);

/** The account's customer id at the payment provider. The customer is created on first use. */
export const customerOf = async (ctx: Pick<Context, "db" | "payments">, account: Account): Promise<string> => {
  const existing = await queries.findCustomerId(ctx.db, account.id);
  if (existing) return existing;
  const { id } = await ctx.payments.createCustomer(
    { email: account.email, accountId: account.id },
    `customer-${account.id}`,
  );
  await setCustomerId(ctx.db, account.id, id);
  return id;
};

const taxedLinesOf = ({ lines, planLine }: Order): { taxes: Tax[] }[] => (planLine ? [planLine] : lines);

/**
 * Marks an order as paid and records payment, invoice and card, in the transaction that fulfils the order.
 *
 * @param outcome.returnReason why the payment is refunded instead
 * @param outcome.keepCard whether the card is saved, if the order renews. It becomes the default for renewals unless the
 *   holder has another default and wants to keep that
 * @returns the invoice's number
 */
export const closeOrder = async (
  tx: Tx,
  { settings }: { settings: Pick<Context["settings"], "seller"> },
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
    taxCents: order.taxCents,
    taxes: taxesByRate(taxedLinesOf(order).map(({ taxes }) => taxes)),
    isReverseCharge: order.isReverseCharge,
    seller: settings.seller,
    buyer: buyerAtIssue(order, await billingDetailsOf(tx, order.accountId)),
    issuedAt: now,
  });
  // A card that was removed during its payment has no customer any more and stays removed.
  if (outcome.keepCard && order.autoRenew && intent.card?.customerId) {
    const { paymentMethodId: stripePaymentMethodId, customerId: _, ...card } = intent.card;
    const saved = { ...card, accountId: order.accountId, stripePaymentMethodId, createdAt: now };
    const isDefault = order.makesCardDefault || !(await queries.findDefaultCard(tx, order.accountId));
    await (isDefault ? queries.saveDefaultCard(tx, saved) : queries.saveCard(tx, saved));
  }
  return invoiceNumber(year, number);
};

/** The account and state of the order that this intent pays. Null: the intent belongs to none of our orders. */
export const orderOwner = (ctx: Pick<Context, "db">, paymentIntentId: string) =>
  queries.findOrderOwner(ctx.db, paymentIntentId);

/**
 * Like `orderOwner`, for an intent as the provider returned it. The webhook of an off-session charge can arrive before the
 * intent's id is on its order; then the order id in the intent's metadata identifies it.
 */
export const ownerOfIntent = async (ctx: Pick<Context, "db">, intent: PaymentIntent) =>
  (await queries.findOrderOwner(ctx.db, intent.id)) ??
  (intent.orderId === null || intent.customerId === null
    ? null
    : await queries.findOwnerByCustomer(ctx.db, intent.orderId, intent.customerId));

/**
 * Cancels a subscription's unpaid changes of term, so that no credit is given twice.
 *
 * @throws conflict when one of them is paid or being paid
 */
export const cancelOpenTermChanges = async (
  ctx: Pick<Context, "db" | "payments">,
  subscriptionId: number,
): Promise<void> => {
  for (const order of await queries.openOrders(ctx.db, subscriptionId, "term_change")) {
    if (!(await cancelOrder(ctx, order)))
      throw conflict("A payment for a change of term is already in progress. Check the subscription in a minute");
  }
};

/**
 * Leaves an automatic renewal charge to the account holder, who has to authenticate it. From then on the order is paid
 * and cancelled like those that holders open.
 */
export const handOver = async (tx: Tx, orderId: number, paymentIntentId: string): Promise<void> => {
  await queries.setPaymentIntent(tx, orderId, paymentIntentId);
};

/** The account's unpaid orders of plans, newest first. */
export const openPlanOrders = (ctx: Pick<Context, "db">, accountId: number) =>
  queries.openPlanOrders(ctx.db, accountId);

/** Whether the holder can still pay the order, as the payment provider says. @throws unavailable when it cannot be reached */
export const isPayable = async (ctx: Pick<Context, "payments">, { paymentIntentId }: PendingOrder): Promise<boolean> =>
  paymentIntentId !== null && payableStatuses.includes((await ctx.payments.getIntent(paymentIntentId)).status);

const payableStatuses: readonly IntentStatus[] = [
  "requires_payment_method",
  "requires_confirmation",
  "requires_action",
];

/** The unpaid renewals of a subscription that the account holder can pay, newest first. */
export const openRenewals = (ctx: Pick<Context, "db">, subscriptionId: number) =>
  queries.openOrders(ctx.db, subscriptionId, "renewal");

/**
 * Cancels an automatic renewal charge that waits for the account holder's authentication, so that the same renewal is not paid
 * twice.
 *
 * @throws conflict when it is paid or being paid
 */
export const cancelHandedOver = async (
  ctx: Pick<Context, "db" | "payments">,
  subscriptionId: number,
): Promise<void> => {
  for (const order of await openRenewals(ctx, subscriptionId)) {
    if (order.isRenewalCharge && !(await cancelOrder(ctx, order)))
      throw conflict("A payment for this renewal is already in progress. Check the subscription in a minute");
  }
};

/**
 * Cancels the unpaid renewals of a subscription that the account holder can pay.
 *
 * @returns the payment intents of those that are paid or being paid and so cannot be cancelled
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
 * Cancels the account's unpaid orders.
 *
 * @returns false when one is paid or being paid; that payment must be settled first
 */
export const cancelOpenOrders = async (ctx: Pick<Context, "db" | "payments">, accountId: number): Promise<boolean> => {
  for (const order of await queries.pendingOrders(ctx.db, accountId)) {
    if (!(await cancelOrder(ctx, order))) return false;
  }
  return true;
};

/**
 * Cancels the open orders of a suspended account, which may not buy. If the payment provider cannot be reached, the hourly
 * job cancels them later, and payments made until then are refunded.
 */
export const cancelOpenOrdersOfSuspended = async (
  ctx: Pick<Context, "db" | "payments" | "log">,
  accountId: number,
): Promise<void> => {
  for (const order of await queries.pendingOrders(ctx.db, accountId)) {
    try {
      await cancelOrder(ctx, order);
    } catch (error) {
      ctx.log.warn("An order of a suspended account was not cancelled", { order_id: order.id, reason: String(error) });
      if (error instanceof Refusal && error.code === "unavailable") return;
    }
  }
};

/**
 * Pending orders that can no longer be fulfilled, newest first: their price lock has expired or their account is suspended.
 *
 * @param page.beforeId the last id of the previous page
 */
export const expiredOrders = (
  ctx: Pick<Context, "db" | "clock">,
  page: { beforeId: number | null; limit: number },
): Promise<PendingOrder[]> => queries.selectExpiredOrders(ctx.db, ctx.clock.now(), page);

export type PendingOrder = queries.PendingOrder;

/**
 * Cancels the order's payment intent, then deletes the order.
 *
 * @returns false when the order is paid or being paid
 * @throws unavailable when the payment provider cannot be reached
 */
export const cancelOrder = async (ctx: Pick<Context, "db" | "payments">, order: PendingOrder): Promise<boolean> => {
  if (order.paymentIntentId !== null) {
    const status = await statusAfterCancel(ctx, order.paymentIntentId);
    if (status !== "canceled" && status !== "unknown") return false;
  }
  if (await queries.deletePendingOrder(ctx.db, order)) return true;
  // The order has been deleted or has received an intent in the meantime.
  const current = await queries.findPendingOrder(ctx.db, order.id);
  return current === null || cancelOrder(ctx, current);
};

/** `unknown`: the provider has no such intent, so it cannot be paid. */
const statusAfterCancel = async (ctx: Pick<Context, "payments">, id: string): Promise<IntentStatus | "unknown"> => {
  try {
    return (await ctx.payments.cancelIntent(id)).status;
  } catch (error) {
    if (error instanceof Refusal && error.code === "not_found") return "unknown";
    throw error;
  }
};

export const lockOrder = queries.lockOrder;

/** The order of an accepted quote, whatever its status. Null: it was not opened or was cancelled. */
export const orderOfQuote = (db: Tx, quoteId: number) => queries.findOrderOfQuote(db, quoteId);

/**
 * Records whether the card that pays the order becomes the default for renewals. Comes before the payment, because the
 * provider's webhook may settle that first. An order that is paid already stays as it is.
 *
 * @throws not_found for an order of another account
 */
export const setMakesCardDefault = async (
  ctx: Pick<Context, "db">,
  caller: Caller,
  input: { orderId: number; makesCardDefault: boolean },
): Promise<void> => {
  const order = await queries.findOrder(ctx.db, caller.account.id, input.orderId);
  if (!order) throw notFound("Order");
  await queries.setMakesCardDefault(ctx.db, order.id, input.makesCardDefault);
};

/** An order of the account with its lines. Null: it does not exist or belongs to another account. */
export const orderOf = (ctx: Pick<Context, "db">, accountId: number, orderId: number) =>
  queries.findOrder(ctx.db, accountId, orderId);
