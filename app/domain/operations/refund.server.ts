import { recordOperatorsAct } from "../accounts/audit.server.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import { recordRefunds } from "../payments/refunds.server.ts";
import * as queries from "./account-queries.server.ts";

/**
 * Gives back an invoice's payment, wholly or in part, by the card it was paid with. The credit note and the mail follow
 * from what the payment provider then lists. Access stays as it is.
 *
 * Asked twice for the same, as by a second click, it is given once, and stands once in the log: the key of the request to
 * the provider holds what had been given back before.
 *
 * @throws not_found for an invoice that is not the account's
 * @throws invalid for more than is left
 * @throws conflict when the payment is disputed, or the provider refuses
 * @throws unavailable when the provider is away
 */
export const refundInvoice = async (
  ctx: Pick<Context, "db" | "clock" | "payments" | "settings">,
  operator: OperatorCaller,
  input: { accountId: number; invoiceId: number; amountCents: number; reason: string },
): Promise<void> => {
  const { accountId, invoiceId, amountCents, reason } = input;
  const payment = await queries.findPaymentOfInvoice(ctx.db, accountId, invoiceId);
  if (!payment?.chargeId) throw notFound("Invoice with a payment");
  if (payment.disputedAt !== null)
    throw conflict("The payment is disputed at the bank: what is given back is decided there");
  if (amountCents > payment.amountCents - payment.refundedCents) {
    throw invalid("amount", "More than is left of this payment");
  }
  const key = `refund:payment-${payment.id}:${payment.refundedCents}:${amountCents}`;
  const { refundId } = await ctx.payments.refund({ chargeId: payment.chargeId, amountCents }, key);
  await ctx.db.transaction(async (tx) => {
    if (await queries.isRefundOrdered(tx, { accountId, paymentId: payment.id, refundId })) return;
    await recordOperatorsAct(tx, operator, accountId, "refund.ordered", ctx.clock.now(), {
      order_id: payment.orderId,
      amount_cents: amountCents,
      currency: payment.currency,
      refund_id: refundId,
      reason,
    });
  });
  await recordRefunds(ctx, payment.chargeId);
};
