/** The text and sums of a quote, shared by the pages and the PDF. */
import type { Context } from "../domain/context.ts";
import { lineDiscounts } from "../domain/payments/line-discounts.ts";
import { monthsOf } from "../domain/pricing/discounts.ts";
import type { QuoteLineRow, QuoteState, SalesQuote } from "../domain/quotes/quote.ts";
import { formatDay } from "./format.ts";
import { type LineView, priceSteps } from "./invoice-view.ts";

export type QuoteView = {
  id: number;
  /** `Quote 12`. */
  title: string;
  state: QuoteState;
  currency: string;
  requestedAt: string;
  requestNote: string;
  offerNumber: number;
  offer: {
    discountPercent: number;
    validThrough: string;
    offeredAt: string;
    note: string;
    /** Null: the discount is for this order only. */
    staysInWords: string | null;
  } | null;
  endedAt: string | null;
  endNote: string | null;
  orderId: number | null;
  routes: number;
  lines: QuoteLineView[];
  listCents: number;
  totalCents: number;
  /** Offers are made before tax, which is added when the order is placed. */
  totalLabel: "Total" | "Total before tax";
};

export type QuoteLineView = Pick<LineView, "id" | "steps" | "totalCents"> & {
  routeId: number;
  routeName: string;
  routeCode: string;
  months: number;
  listCents: number;
};

export const quoteView = (
  { tax }: Pick<Context, "tax">,
  { quote, lines }: { quote: SalesQuote; lines: readonly QuoteLineRow[] },
): QuoteView => ({
  id: quote.id,
  title: `Quote ${quote.id}`,
  state: quote.state,
  currency: quote.currency,
  requestedAt: quote.requestedAt.toISOString(),
  requestNote: quote.requestNote,
  offerNumber: quote.offerNumber,
  offer: quote.offer && {
    discountPercent: quote.offer.discountPercent,
    validThrough: quote.offer.validThrough,
    offeredAt: quote.offer.offeredAt.toISOString(),
    note: quote.offer.note,
    staysInWords: quote.offer.keepsDiscount
      ? `After payment, the discount of ${quote.offer.discountPercent}% also applies to later purchases and renewals${quote.offer.discountThrough ? `, until ${formatDay(quote.offer.discountThrough)} (last day)` : ""}.`
      : null,
  },
  endedAt: quote.endedAt?.toISOString() ?? null,
  endNote: quote.endNote,
  orderId: quote.orderId,
  routes: quote.routes,
  lines: lines.map((line) => quoteLineView(quote.id, line)),
  listCents: quote.listCents,
  totalCents: quote.totalCents,
  totalLabel: tax ? "Total before tax" : "Total",
});

const quoteLineView = (quoteId: number, line: QuoteLineRow): QuoteLineView => {
  const { id, routeId, routeName, routeCode, listCents, totalCents } = line;
  const months = monthsOf[line.term];
  const discounts = lineDiscounts({ ...line, volumeDiscountReason: { kind: "quote", quoteId } });
  return {
    id,
    routeId,
    routeName,
    routeCode,
    months,
    listCents,
    totalCents,
    steps: priceSteps({ months, listCents, discounts }),
  };
};
