import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
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
export const listInvoices = async (ctx: Pick<Context, "db">, caller: Caller): Promise<Invoice[]> => {
  const rows = await queries.listInvoices(ctx.db, caller.account.id);
  return rows.map(({ invoice, cardBrand, cardLast4 }) => ({
    id: invoice.id,
    number: `${invoice.year}-${String(invoice.number).padStart(6, "0")}`,
    kind: invoice.kind,
    orderId: invoice.orderId,
    currency: invoice.currency,
    amountCents: invoice.amountCents,
    issuedAt: invoice.issuedAt,
    card: cardBrand && cardLast4 ? { brand: cardBrand, last4: cardLast4 } : null,
  }));
};
