import { z } from "zod";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { cursorOf, type Page, type PageRequest, pageOf } from "../page.ts";
import * as queries from "./queries.server.ts";

export type Invoice = {
  id: number;
  /** `2026-000042`; without gaps within a year. */
  number: string;
  kind: "invoice" | "credit_note";
  orderId: number;
  currency: string;
  /** Negative on a credit note. */
  amountCents: number;
  issuedAt: Date;
  card: { brand: string; last4: string } | null;
};

/** The account's invoices and credit notes, newest first. */
export const listInvoices = async (ctx: Pick<Context, "db">, caller: Caller): Promise<Invoice[]> =>
  (await queries.listInvoices(ctx.db, caller.account.id)).map(invoiceOf);

/** The same, a page at a time. @throws invalid for a cursor of another list */
export const pageInvoices = async (
  ctx: Pick<Context, "db">,
  caller: Caller,
  page: PageRequest,
): Promise<Page<Invoice>> => {
  const found = await queries.pageInvoices(ctx.db, caller.account.id, page.limit, invoiceCursor.read(page.cursor));
  const { rows, nextCursor } = pageOf(found, page.limit, ({ invoice }) =>
    invoiceCursor.write([invoice.year, invoice.number]),
  );
  return { rows: rows.map(invoiceOf), nextCursor };
};

const invoiceCursor = cursorOf(z.tuple([z.int(), z.int()]));

/** How an invoice is cited: `2026-000042`. */
export const invoiceNumber = (year: number, number: number): string => `${year}-${String(number).padStart(6, "0")}`;

const invoiceOf = ({
  invoice,
  cardBrand,
  cardLast4,
}: Awaited<ReturnType<typeof queries.listInvoices>>[number]): Invoice => ({
  id: invoice.id,
  number: invoiceNumber(invoice.year, invoice.number),
  kind: invoice.kind,
  orderId: invoice.orderId,
  currency: invoice.currency,
  amountCents: invoice.amountCents,
  issuedAt: invoice.issuedAt,
  card: cardBrand && cardLast4 ? { brand: cardBrand, last4: cardLast4 } : null,
});
