import { withAdvisoryLock } from "../../platform/advisory-lock.server.ts";
import { recordOperatorAudit } from "../accounts/audit.server.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import { recordRefunds } from "../payments/refunds.server.ts";
import * as queries from "./account-queries.server.ts";

type World = Pick<Context, "db" | "clock" | "payments" | "settings">;

type RefundOrder = {
  accountId: number;
  invoiceId: number;
  amountCents: number;
  /** The refundable rest of the payment when the operator decided. */
  leftCents: number;
  reason: string;
};

/**
 * Refunds an invoice's payment in full or in part, to the card that paid. Credit note and mail are made from the
 * refunds that the payment provider then lists. Access does not change.
 *
 * Of two concurrent refunds, as from a double click, one is refused. So is a later one that was decided before the
 * first was known.
 *
 * @throws not_found for an invoice that is not the account's
 * @throws invalid if the amount exceeds the rest
 * @throws conflict when the payment is disputed, is being refunded or has been refunded meanwhile, or the provider
 * refuses
 * @throws unavailable when the provider is unavailable
 */
export const refundInvoice = async (ctx: World, operator: OperatorCaller, order: RefundOrder): Promise<void> => {
  const { id } = await paymentOf(ctx, order);
  const refunded = await withAdvisoryLock(ctx.db, ["refund", id], "leave", async () => {
    await refund(ctx, operator, order);
    return true;
  });
  if (!refunded) throw conflict("This payment is already being refunded. Check the account's invoices");
};

const refund = async (ctx: World, operator: OperatorCaller, order: RefundOrder): Promise<void> => {
  const { accountId, amountCents, reason } = order;
  const payment = await paymentOf(ctx, order);
  const { chargeId, currency } = payment;
  if (payment.disputedAt !== null) throw conflict("This payment is disputed, so the bank decides about the refund");
  const leftCents = payment.amountCents - payment.refundedCents;
  if (leftCents !== order.leftCents) {
    throw conflict(
      "Part of this payment was refunded since you opened the page. Check the remaining amount and try again",
    );
  }
  if (amountCents > leftCents) throw invalid("amount", "More than the refundable amount of this payment");
  // A retry after a lost response uses the same key and is the same refund.
  const key = `refund:payment-${payment.id}:${payment.refundedCents}:${amountCents}`;
  const { refundId } = await ctx.payments.refund({ chargeId, amountCents }, key);
  if (!(await queries.isRefundOrdered(ctx.db, { accountId, refundId }))) {
    const details = { order_id: payment.orderId, amount_cents: amountCents, currency, refund_id: refundId, reason };
    await recordOperatorAudit(ctx.db, operator, accountId, "refund.ordered", ctx.clock.now(), details);
  }
  await recordRefunds(ctx, chargeId);
};

const paymentOf = async (ctx: Pick<Context, "db">, { accountId, invoiceId }: RefundOrder) => {
  const payment = await queries.findPaymentOfInvoice(ctx.db, accountId, invoiceId);
  if (!payment?.chargeId) throw notFound("Invoice with a payment");
  return { ...payment, chargeId: payment.chargeId };
};
