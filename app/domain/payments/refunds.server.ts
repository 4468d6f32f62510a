import { paymentRefunds } from "../../platform/metrics/metrics.ts";
import { recordServiceAudit } from "../accounts/audit.server.ts";
import type { Context } from "../context.ts";
import { refunded } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { taxCentsOf, taxesOfRefund } from "../tax/tax.ts";
import { invoiceNumber } from "./invoices.server.ts";
import * as queries from "./queries.server.ts";

/**
 * Issues a credit note for every refund of a charge that the payment provider lists and that has none yet. Access does
 * not change: an operator decides about that, as about the refund.
 */
export const recordRefunds = async (
  ctx: Pick<Context, "db" | "clock" | "payments" | "settings">,
  chargeId: string,
): Promise<void> => {
  const refunds = await ctx.payments.listRefunds(chargeId);
  const now = ctx.clock.now();
  const year = now.getUTCFullYear();
  const recorded = await ctx.db.transaction(async (tx) => {
    const payment = await queries.lockPayment(tx, chargeId);
    if (!payment) return 0;
    const { accountId, orderId, currency } = payment;
    const [invoice, ...creditNotes] = await queries.invoicesOfOrder(tx, orderId);
    if (invoice?.kind !== "invoice") throw new Error(`Order ${orderId} is paid and has no invoice`);
    const credited = new Set(creditNotes.map(({ refundId }) => refundId));
    let earlierCents = -creditNotes.reduce((sum, { amountCents }) => sum + amountCents, 0);
    const unrecorded = refunds.filter(({ id }) => !credited.has(id));
    for (const refund of unrecorded) {
      const taxes = taxesOfRefund(invoice.taxes, invoice.amountCents, { earlierCents, cents: refund.amountCents });
      earlierCents += refund.amountCents;
      const number = await queries.nextInvoiceNumber(tx, year);
      await queries.insertInvoice(tx, {
        accountId,
        orderId,
        kind: "credit_note",
        year,
        number,
        currency,
        amountCents: -refund.amountCents,
        taxCents: taxCentsOf(taxes),
        taxes,
        // A credit note names the parties of its invoice, whatever has changed since.
        isReverseCharge: invoice.isReverseCharge,
        seller: invoice.seller,
        buyer: invoice.buyer,
        issuedAt: now,
        refundId: refund.id,
      });
      const creditNote = invoiceNumber(year, number);
      const mail = refunded(ctx.settings.appUrl, { creditNote, amountCents: refund.amountCents, currency, orderId });
      const details = { order_id: orderId, amount_cents: refund.amountCents, currency, credit_note: creditNote };
      await recordServiceAudit(tx, accountId, "order.refunded", now, details);
      await enqueue(tx, { ...mail, dedupeKey: `refund:${refund.id}`, accountId }, now);
    }
    const refundedCents = refunds.reduce((sum, { amountCents }) => sum + amountCents, 0);
    await queries.setRefunded(tx, payment, refundedCents);
    return unrecorded.length;
  });
  if (recorded > 0) paymentRefunds.add({}, recorded);
};
