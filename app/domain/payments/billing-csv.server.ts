import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { csv } from "../csv.ts";
import { isoInstant } from "../dates.ts";
import * as queries from "./invoice-queries.server.ts";
import { invoiceNumber } from "./invoices.server.ts";

/** The account's billing history as CSV: one line per invoice or credit note, newest first. */
export const billingCsv = async (ctx: Pick<Context, "db">, caller: Caller): Promise<string> => {
  const history = await queries.billingHistory(ctx.db, caller.account.id);
  const orderIds = [...new Set(history.map(({ invoice }) => invoice.orderId))];
  const codes = await queries.routeCodesOfOrders(ctx.db, orderIds);
  const numbers = new Map(
    history
      .filter(({ invoice }) => invoice.kind === "invoice")
      .map(({ invoice }) => [invoice.orderId, numberOf(invoice)]),
  );
  return csv(
    header,
    history.map(({ invoice, orderKind, cardBrand, cardLast4 }) => [
      numberOf(invoice),
      invoice.kind,
      invoice.kind === "credit_note" ? (numbers.get(invoice.orderId) ?? null) : null,
      isoInstant(invoice.issuedAt),
      invoice.orderId,
      orderKind,
      codes.get(invoice.orderId)?.join(" ") ?? null,
      invoice.currency,
      invoice.amountCents,
      cardBrand,
      cardLast4,
      invoice.taxCents,
      invoice.buyer?.country ?? null,
      invoice.buyer?.taxId ?? null,
      invoice.isReverseCharge ? "yes" : "no",
    ]),
  );
};

const header = [
  "number",
  "kind",
  "refers_to",
  "issued_at",
  "order_id",
  "order_kind",
  "route_codes",
  "currency",
  "amount_cents",
  "card_brand",
  "card_last4",
  "tax_cents",
  "buyer_country",
  "buyer_tax_id",
  "reverse_charge",
];

const numberOf = ({ year, number }: { year: number; number: number }) => invoiceNumber(year, number);
