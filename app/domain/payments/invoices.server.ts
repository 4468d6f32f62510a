import { z } from "zod";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { groupBy } from "../group-by.ts";
import { cursorId, cursorOf, type Page, type PageRequest, pageOf } from "../page.ts";
import { monthsOf } from "../pricing/discounts.ts";
import type { QuoteLine } from "../pricing/quote.ts";
import type { Tax } from "../tax/tax-line.ts";
import type { invoiceKinds } from "./enums.ts";
import { pricedLines } from "./invoice-queries.server.ts";
import type { PlanLine } from "./order.ts";
import * as queries from "./queries.server.ts";

export type Invoice = {
  id: number;
  /** `2026-000042`, without gaps within a year. */
  number: string;
  kind: (typeof invoiceKinds)[number];
  orderId: number;
  currency: string;
  /** With tax. Negative on a credit note. */
  amountCents: number;
  /** What the bank took back in lost disputes of an invoice's payment. 0 on a credit note. */
  chargedBackCents: number;
  /** The part of the amount that is tax. Negative on a credit note. */
  taxCents: number;
  issuedAt: Date;
  card: { brand: string; last4: string } | null;
};

/** The account's invoices and credit notes, newest first. */
export const listInvoices = async (ctx: Pick<Context, "db">, caller: Caller): Promise<Invoice[]> =>
  (await queries.listInvoices(ctx.db, caller.account.id)).map(invoiceOf);

/** An invoice with what was ordered, as it was priced: lines, or a plan. A credit note has neither. */
export type InvoiceWithLines = Invoice & {
  lines: (QuoteLine & { creditCents: number; taxes: Tax[] })[];
  planLine: PlanLine | null;
};

/** The account's invoices with their lines, newest first. */
export const invoicesWithLines = async (ctx: Pick<Context, "db">, caller: Caller): Promise<InvoiceWithLines[]> =>
  withLines(ctx, await queries.listInvoices(ctx.db, caller.account.id));

/** One page of the account's invoices with their lines. @throws invalid for a cursor of another list */
export const pageInvoices = async (
  ctx: Pick<Context, "db">,
  caller: Caller,
  page: PageRequest,
): Promise<Page<InvoiceWithLines>> => {
  const found = await queries.pageInvoices(ctx.db, caller.account.id, page.limit, invoiceCursor.read(page.cursor));
  const { rows, nextCursor } = pageOf(found, page.limit, ({ invoice }) =>
    invoiceCursor.write([invoice.year, invoice.number]),
  );
  return { rows: await withLines(ctx, rows), nextCursor };
};

const withLines = async (ctx: Pick<Context, "db">, rows: InvoiceRow[]): Promise<InvoiceWithLines[]> => {
  const ofLines = rows.filter(({ invoice, planLine }) => invoice.kind === "invoice" && planLine === null);
  const orders = ofLines.map(({ invoice }) => invoice.orderId);
  const lines = groupBy(await pricedLines(ctx.db, orders), ({ orderId }) => orderId);
  const linesOf = ({ kind, orderId }: Invoice) => (kind === "invoice" ? (lines.get(orderId) ?? []) : []);
  return rows.map((row) => {
    const invoice = invoiceOf(row);
    return {
      ...invoice,
      lines: linesOf(invoice).map((line) => ({ ...line, months: monthsOf[line.term] })),
      planLine: invoice.kind === "invoice" ? row.planLine : null,
    };
  });
};

const invoiceCursor = cursorOf(z.tuple([cursorId, cursorId]));

/** An invoice's number as shown: `2026-000042`. */
export const invoiceNumber = (year: number, number: number): string => `${year}-${String(number).padStart(6, "0")}`;

type InvoiceRow = Awaited<ReturnType<typeof queries.listInvoices>>[number];

const invoiceOf = ({ invoice, cardBrand, cardLast4, chargedBackCents }: InvoiceRow): Invoice => ({
  id: invoice.id,
  number: invoiceNumber(invoice.year, invoice.number),
  kind: invoice.kind,
  orderId: invoice.orderId,
  currency: invoice.currency,
  amountCents: invoice.amountCents,
  chargedBackCents: invoice.kind === "invoice" ? (chargedBackCents ?? 0) : 0,
  taxCents: invoice.taxCents,
  issuedAt: invoice.issuedAt,
  card: cardBrand && cardLast4 ? { brand: cardBrand, last4: cardLast4 } : null,
});
