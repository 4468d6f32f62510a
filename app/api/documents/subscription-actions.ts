/** Invoices and term changes as JSON documents. */
import { isoInstant } from "../../domain/dates.ts";
import type { InvoiceWithLines } from "../../domain/payments/invoices.server.ts";
import type { TermChange } from "../../domain/subscriptions/renew.server.ts";
import { checkoutDocument, lineDocument } from "./subscriptions.ts";

export const termChangeDocument = (change: TermChange) => ({
  ...checkoutDocument(change),
  credit_cents: change.creditCents,
});

export const invoiceDocument = (invoice: InvoiceWithLines) => ({
  id: invoice.id,
  number: invoice.number,
  kind: invoice.kind,
  order_id: invoice.orderId,
  currency: invoice.currency,
  amount_cents: invoice.amountCents,
  issued_at: isoInstant(invoice.issuedAt),
  card: invoice.card,
  lines: invoice.lines.map((line) => ({ ...lineDocument(line), credit_cents: line.creditCents })),
});
