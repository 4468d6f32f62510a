/** Invoices and term changes as JSON documents. */
import type { Context } from "../../domain/context.ts";
import { isoInstant } from "../../domain/dates.ts";
import type { InvoiceWithLines } from "../../domain/payments/invoices.server.ts";
import type { PlanLine } from "../../domain/payments/order.ts";
import { monthsOf } from "../../domain/pricing/discounts.ts";
import type { TermChange } from "../../domain/subscriptions/renew.server.ts";
import { taxCentsOf } from "../../domain/tax/tax.ts";
import { checkoutDocument, orderLineDocument, routeFinder } from "./orders.server.ts";

export const termChangeDocument = async (ctx: Pick<Context, "db" | "settings">, change: TermChange) => ({
  ...(await checkoutDocument(ctx, change)),
  credit_cents: change.creditCents,
});

const invoicedPlanDocument = ({ plan, term, monthlyCents, totalCents, taxes }: PlanLine) => ({
  plan,
  term,
  months: monthsOf[term],
  monthly_cents: monthlyCents,
  total_cents: totalCents,
  tax_cents: taxCentsOf(taxes),
});

export const invoiceDocuments = async (ctx: Pick<Context, "db">, invoices: readonly InvoiceWithLines[]) => {
  const routeOf = await routeFinder(
    ctx,
    invoices.flatMap(({ lines }) => lines),
  );
  return invoices.map((invoice) => ({
    id: invoice.id,
    number: invoice.number,
    kind: invoice.kind,
    order_id: invoice.orderId,
    currency: invoice.currency,
    amount_cents: invoice.amountCents,
    charged_back_cents: invoice.chargedBackCents,
    tax_cents: invoice.taxCents,
    issued_at: isoInstant(invoice.issuedAt),
    card: invoice.card,
    lines: invoice.lines.map((line) => orderLineDocument(line, routeOf)),
    plan: invoice.planLine && invoicedPlanDocument(invoice.planLine),
  }));
};
