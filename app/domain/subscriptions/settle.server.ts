/**
 * Settles payments: each buys its subscriptions exactly once, whichever of payment-success, its repetition and the
 * webhook comes first.
 *
 * @spec Endpoints (POST /subscriptions/payment-success)
 */
import type { Tx } from "../../platform/db.server.ts";
import { paymentCharges } from "../../platform/metrics/metrics.ts";
import { setAgreedDiscount } from "../accounts/account-changes.server.ts";
import { recordAudit, recordServiceAudit } from "../accounts/audit.server.ts";
import type { Caller } from "../accounts/caller.ts";
import { type ExclusiveLock, lockAccount } from "../accounts/lock.server.ts";
import type { VolumeAgreement } from "../accounts/volume-agreement.ts";
import { billingAddressOf } from "../billing-details/manage.server.ts";
import type { Context } from "../context.ts";
import type { Day } from "../dates.ts";
import { conflict, notFound } from "../errors.ts";
import { paymentReturned, receipt } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { fulfilPlan, isPlanForSale } from "../paid-plans/paid-plans.server.ts";
import type { PaymentIntent } from "../payments/gateway.ts";
import { type Order, type OrderLine, type ReturnReason, returnReasonOf } from "../payments/order.ts";
import { closeOrder, lockOrder, orderOwner, ownerOfIntent } from "../payments/orders.server.ts";
import { returnPayment } from "../payments/returns.server.ts";
import { capitalised } from "../wording.ts";
import { type FulfilledLine, fulfilLine } from "./fulfilment.server.ts";
import { getSubscriptions } from "./list.server.ts";
import * as paidTermQueries from "./paid-term-queries.server.ts";
import * as queries from "./queries.server.ts";
import type { Subscription } from "./subscription.ts";
import { announceRenewed } from "./webhook-events.server.ts";

type World = Pick<Context, "db" | "clock" | "payments" | "settings" | "log">;

/**
 * Confirms a payment for the account holder. A settled order is answered from the database; otherwise the payment provider
 * is asked.
 *
 * @returns the subscriptions that the order created or extended, the same on repetition
 * @throws not_found when no order of this account is paid by the intent
 * @throws conflict naming the intent's status unless it has succeeded, and when the payment is refunded because it came
 *   after the price lock had ended or the account is suspended
 * @throws unavailable when the order is not settled yet and the payment provider cannot be reached
 */
export const confirmPayment = async (
  ctx: World & Pick<Context, "tax">,
  caller: Caller,
  input: { paymentIntentId: string },
): Promise<Subscription[]> => {
  const owner = await orderOwner(ctx, input.paymentIntentId);
  if (owner?.accountId !== caller.account.id) throw notFound("Payment intent");
  const { returnReason } = owner.isPending ? await settleNow(ctx, owner, input.paymentIntentId) : owner;
  if (returnReason) throw conflict(refundedBecause[returnReason]);
  const ids = await paidTermQueries.idsPaidByOrder(ctx.db, owner.orderId);
  return getSubscriptions(ctx, caller, { ids });
};

const refundedBecause = {
  paid_too_late:
    "The payment was made after its price lock had expired. We are refunding it in full. Start again at today's price",
  account_suspended: "The account is suspended. We are refunding the payment in full",
  plan_changed: "The account's plan has changed since the order was placed. We are refunding the payment in full",
} as const satisfies Record<ReturnReason, string>;

const settleNow = async (
  ctx: World,
  owner: { orderId: number; accountId: number },
  paymentIntentId: string,
): Promise<Settled> => {
  const intent = await ctx.payments.getIntent(paymentIntentId);
  if (intent.status !== "succeeded") {
    throw conflict(`The payment has not succeeded: the payment intent's status is ${intent.status}`);
  }
  return settle(ctx, owner, intent);
};

/**
 * Settles the order of a payment intent. Intents without an order are ignored.
 *
 * @returns whether an order is settled, by this call or earlier; false while the intent is unpaid
 */
export const settleIntent = async (ctx: World, paymentIntentId: string): Promise<boolean> => {
  const intent = await ctx.payments.getIntent(paymentIntentId);
  const owner = await ownerOfIntent(ctx, intent);
  if (!owner || intent.status !== "succeeded") return false;
  await settle(ctx, owner, intent);
  return true;
};

export type Settled = {
  /** Whether this call settled the order; false when it was settled before. */
  isNew: boolean;
  /** Why the payment is refunded in full instead; null when it was not. */
  returnReason: ReturnReason | null;
};

/**
 * Fulfils the order of a succeeded intent once, or refunds it once when it can buy nothing (docs/decisions/0016). The
 * decision is committed before the refund is made, so that after a crash the hourly job makes the refund.
 */
export const settle = async (
  ctx: World,
  owner: { orderId: number; accountId: number },
  intent: PaymentIntent,
): Promise<Settled> => {
  const settled = await ctx.db.transaction((tx) => settleOnce(tx, ctx, owner, intent));
  if (settled.isNew)
    paymentCharges.add({ kind: settled.isOurCharge ? "renewal" : "purchase", outcome: "succeeded", reason: "none" });
  if (settled.returnReason) await returnPayment(ctx, owner.orderId);
  return settled;
};

const settleOnce = async (
  tx: Tx,
  { clock, settings }: World,
  owner: { orderId: number; accountId: number },
  intent: PaymentIntent,
): Promise<Settled & { isOurCharge: boolean }> => {
  const { appUrl } = settings;
  const order = await lockOrder(tx, owner);
  if (order.status !== "pending") return { isNew: false, returnReason: order.returnReason, isOurCharge: false };
  if (!intent.chargedAt) throw new Error(`Payment intent ${intent.id} does not say when it was charged`);
  const now = clock.now();
  const charge = await queries.chargeOfOrder(tx, order.id);
  // Our own renewal charges are made in time and only for accounts in good standing. One with an intent was handed over
  // to the account holder.
  const isOurCharge = charge !== null && order.paymentIntentId === null;
  const returnReason = isOurCharge ? null : await returnReasonNow(order, intent.chargedAt, now);
  const keepCard = !isOurCharge && !returnReason;
  const invoice = await closeOrder(tx, { settings }, order, intent, now, { returnReason, keepCard });
  if (returnReason) {
    await announceReturn(tx, appUrl, order, returnReason, now);
  } else if (order.planLine) {
    const days = await fulfilPlan(order.locked, order, order.planLine, { invoice, now });
    await recordPayment(tx, order, invoice, [], isOurCharge, now);
    const name = `${capitalised(order.planLine.plan)} plan`;
    await mailReceipt(tx, appUrl, order, invoice, [{ ...days, name, totalCents: order.planLine.totalCents }], now);
  } else {
    const fulfilled: (FulfilledLine & OrderLine)[] = [];
    for (const line of order.lines) fulfilled.push({ ...line, ...(await fulfilLine(tx, order, line, now)) });
    await recordPayment(tx, order, invoice, fulfilled, isOurCharge, now);
    if (charge) await queries.markChargeSucceeded(tx, order.id, now);
    if (order.volumeAgreement) await keepAgreement(tx, order.accountId, order.volumeAgreement, now);
    await mailReceipt(tx, appUrl, order, invoice, await receiptLines(tx, fulfilled), now);
    if (order.kind === "renewal") await announceRenewed(tx, order, fulfilled, { isAutomatic: isOurCharge, at: now });
  }
  return { isNew: true, returnReason, isOurCharge };
};

/** A plan that no longer fits the account's is refunded too. */
const returnReasonNow = async (
  order: Order & { locked: ExclusiveLock },
  chargedAt: Date,
  now: Date,
): Promise<ReturnReason | null> => {
  const reason = returnReasonOf(order, order.locked.account.standing, chargedAt);
  if (reason || !order.planLine) return reason;
  return (await isPlanForSale(order.locked, order.planLine, now)) ? null : "plan_changed";
};

/** The discount of the quote that was just paid becomes the account's. */
const keepAgreement = async (tx: Tx, accountId: number, agreement: VolumeAgreement, now: Date): Promise<void> => {
  const locked = await lockAccount(tx, accountId);
  if (locked) await setAgreedDiscount(locked, agreement, { operator: null, now });
};

const announceReturn = async (
  tx: Tx,
  appUrl: string,
  { id: orderId, accountId, kind, amountCents, currency, expiresAt }: Order,
  reason: ReturnReason,
  now: Date,
): Promise<void> => {
  const details = { order_id: orderId, amount_cents: amountCents, currency, reason };
  await recordServiceAudit(tx, accountId, "payment.returned", now, details);
  const mail = paymentReturned(appUrl, { orderId, kind, amountCents, currency, reason, expiresAt });
  await enqueue(tx, { ...mail, dedupeKey: `payment-returned:order-${orderId}`, accountId }, now);
};

/** The audit log names the service as the actor of automatic renewals, and the account holder as the actor of all other orders. */
const recordPayment = async (
  tx: Tx,
  { id, accountId, kind, amountCents, currency, planLine }: Order,
  invoice: string,
  fulfilled: FulfilledLine[],
  isOurCharge: boolean,
  now: Date,
): Promise<void> => {
  const details = {
    order_id: id,
    kind,
    invoice,
    amount_cents: amountCents,
    currency,
    ...(planLine
      ? { plan: planLine.plan }
      : {
          subscriptions: fulfilled.length,
          subscription_id: fulfilled.length === 1 ? (fulfilled[0]?.subscriptionId ?? null) : null,
        }),
  };
  if (isOurCharge) await recordServiceAudit(tx, accountId, "order.paid", now, details);
  else await recordAudit(tx, { account: { id: accountId } }, "order.paid", now, details);
};

type ReceiptLine = { name: string; startDate: Day; endDate: Day; totalCents: number };

const receiptLines = async (tx: Tx, fulfilled: (FulfilledLine & OrderLine)[]): Promise<ReceiptLine[]> => {
  const subscriptions = await queries.findByIds(
    tx,
    fulfilled.map(({ subscriptionId }) => subscriptionId),
  );
  const names = new Map(subscriptions.map(({ id, routeName }) => [id, routeName]));
  return fulfilled.map((line) => ({ ...line, name: names.get(line.subscriptionId) ?? "" }));
};

const mailReceipt = async (
  tx: Tx,
  appUrl: string,
  order: Order,
  invoice: string,
  lines: ReceiptLine[],
  now: Date,
): Promise<void> => {
  const mail = receipt(appUrl, { ...order, invoice, lines });
  const toAddress = await billingAddressOf(tx, order.accountId);
  await enqueue(tx, { ...mail, ...toAddress, dedupeKey: `receipt:order-${order.id}`, accountId: order.accountId }, now);
};
