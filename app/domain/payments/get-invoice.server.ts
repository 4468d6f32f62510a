import type { Caller } from "../accounts/caller.ts";
import type { BillingDetails } from "../billing-details/buyer.ts";
import type { Context } from "../context.ts";
import type { Day } from "../dates.ts";
import { notFound } from "../errors.ts";
import { monthsOf, type Term } from "../pricing/discounts.ts";
import type { Tax } from "../tax/tax-line.ts";
import type { ReportedDispute } from "./gateway.ts";
import * as queries from "./invoice-queries.server.ts";
import { type Invoice, invoiceNumber } from "./invoices.server.ts";
import { type LineDiscount, lineDiscounts } from "./line-discounts.ts";
import type { OrderKind, PlanLine } from "./order.ts";
import { invoicesOfOrder } from "./queries.server.ts";
import type { Seller } from "./seller.ts";

export type InvoiceLine = {
  id: number;
  routeId: number;
  routeName: string;
  routeCode: string;
  term: Term;
  months: number;
  monthlyCents: number;
  listCents: number;
  discounts: LineDiscount[];
  /** The value of the former term's unused days, at the price paid. */
  creditCents: number;
  /** Before tax. */
  totalCents: number;
  taxes: Tax[];
  /** The days paid for. `endDate` is exclusive. */
  covers: { startDate: Day; endDate: Day } | null;
};

export type InvoicedPlan = PlanLine & {
  months: number;
  /** The days paid for. `endDate` is exclusive. */
  covers: { startDate: Day; endDate: Day } | null;
};

export type InvoiceReference = { id: number; number: string; amountCents: number; issuedAt: Date };

export type InvoiceDetail = Invoice & {
  orderKind: OrderKind;
  account: { username: string; email: string };
  /** As it was configured when the invoice was issued. */
  seller: Seller | null;
  /** The account's billing details when the invoice was issued. */
  buyer: BillingDetails | null;
  /** One for each rate. Negative on a credit note. */
  taxes: Tax[];
  /** The buyer accounts for the VAT. */
  isReverseCharge: boolean;
  /** When the invoice was paid. Null for a credit note. */
  paidAt: Date | null;
  /** The routes that were bought. Empty for a plan, and for a credit note, which refers to its invoice. */
  lines: InvoiceLine[];
  /** The plan that was bought. Null for anything else. */
  planLine: InvoicedPlan | null;
  /** The invoice of a credit note; null for an invoice. */
  refersTo: InvoiceReference | null;
  /** An invoice's credit notes, oldest first. */
  creditNotes: InvoiceReference[];
  /** The latest dispute of an invoice's payment. Null for a credit note. */
  dispute: { status: ReportedDispute["status"]; openedAt: Date; endedAt: Date | null } | null;
  /** An invoice's amount less its credit notes and chargebacks. For a credit note, its amount. */
  balanceCents: number;
};

/**
 * One invoice or credit note of the account, with everything that explains its amount.
 *
 * @throws not_found
 */
export const getInvoice = async (
  ctx: Pick<Context, "db">,
  { account }: Caller,
  input: { id: number },
): Promise<InvoiceDetail> => {
  const found = await queries.findInvoice(ctx.db, account.id, input.id);
  if (!found) throw notFound("Invoice");
  const { invoice, cardBrand, cardLast4 } = found;
  const isInvoice = invoice.kind === "invoice";
  const [siblings, lines, dispute] = await Promise.all([
    invoicesOfOrder(ctx.db, invoice.orderId),
    isInvoice && !found.planLine ? queries.invoicedLines(ctx.db, invoice.orderId) : [],
    isInvoice ? queries.latestDisputeOfOrder(ctx.db, invoice.orderId) : null,
  ]);
  const chargedBackCents = isInvoice ? (found.chargedBackCents ?? 0) : 0;
  const original = siblings.find(({ kind }) => kind === "invoice");
  const creditNotes = isInvoice ? siblings.filter(({ kind }) => kind === "credit_note") : [];
  return {
    id: invoice.id,
    number: invoiceNumber(invoice.year, invoice.number),
    kind: invoice.kind,
    orderId: invoice.orderId,
    currency: invoice.currency,
    amountCents: invoice.amountCents,
    taxCents: invoice.taxCents,
    taxes: invoice.taxes,
    isReverseCharge: invoice.isReverseCharge,
    seller: invoice.seller,
    buyer: invoice.buyer,
    issuedAt: invoice.issuedAt,
    paidAt: isInvoice ? found.paidAt : null,
    card: cardBrand && cardLast4 ? { brand: cardBrand, last4: cardLast4 } : null,
    orderKind: found.orderKind,
    account: { username: account.username, email: account.email },
    lines: lines.map(invoiceLine),
    planLine:
      isInvoice && found.planLine
        ? { ...found.planLine, months: monthsOf[found.planLine.term], covers: found.planDays }
        : null,
    refersTo: isInvoice || !original ? null : referenceTo(original),
    creditNotes: creditNotes.map(referenceTo),
    dispute,
    chargedBackCents,
    balanceCents: creditNotes.reduce(
      (sum, { amountCents }) => sum + amountCents,
      invoice.amountCents - chargedBackCents,
    ),
  };
};

type Row = Awaited<ReturnType<typeof invoicesOfOrder>>[number];

const referenceTo = ({ id, year, number, amountCents, issuedAt }: Row): InvoiceReference => ({
  id,
  number: invoiceNumber(year, number),
  amountCents,
  issuedAt,
});

const invoiceLine = (row: Awaited<ReturnType<typeof queries.invoicedLines>>[number]): InvoiceLine => ({
  id: row.id,
  routeId: row.routeId,
  routeName: row.routeName,
  routeCode: row.routeCode,
  term: row.term,
  months: monthsOf[row.term],
  monthlyCents: row.monthlyCents,
  listCents: row.listCents,
  discounts: lineDiscounts(row),
  creditCents: row.creditCents,
  totalCents: row.totalCents,
  taxes: row.taxes,
  covers: row.startDate && row.endDate ? { startDate: row.startDate, endDate: row.endDate } : null,
});
