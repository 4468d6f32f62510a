/** The text and sums of an invoice, shared by the page and the PDF. */
import type { InvoiceDetail, InvoiceLine, InvoiceReference } from "../domain/payments/get-invoice.server.ts";
import type { LineDiscount } from "../domain/payments/line-discounts.ts";
import { volumeReasonInWords } from "../domain/pricing/volume-discount.ts";
import { formatDay, formatWord } from "./format.ts";

export type InvoiceView = {
  id: number;
  kind: "invoice" | "credit_note";
  /** `Invoice 2026-000042`. */
  title: string;
  number: string;
  issuedAt: string;
  /** The issuer: name and address of the site. */
  issuer: { name: string; site: string };
  account: { username: string; email: string };
  /** `Purchase`, `Renewal`, `Change of term`. */
  subject: string;
  orderId: number;
  /** `Visa •••• 4242`; null if the card is unknown. */
  card: string | null;
  currency: string;
  lines: LineView[];
  amountCents: number;
  balanceCents: number;
  refersTo: ReferenceView | null;
  creditNotes: ReferenceView[];
  testMode: boolean;
};

export type LineView = {
  id: number;
  routeId: number;
  routeName: string;
  routeCode: string;
  /** The paid period. */
  covers: InvoiceLine["covers"];
  /** From the list price to the total, step by step. */
  steps: { label: string; cents: number }[];
  totalCents: number;
};

export type ReferenceView = { id: number; number: string; amountCents: number; issuedAt: string };

export const invoiceView = (invoice: InvoiceDetail, settings: { appUrl: string; testMode: boolean }): InvoiceView => ({
  id: invoice.id,
  kind: invoice.kind,
  title: `${formatWord(invoice.kind)} ${invoice.number}`,
  number: invoice.number,
  issuedAt: invoice.issuedAt.toISOString(),
  issuer: { name: "Shipping Route Data Service", site: settings.appUrl },
  account: invoice.account,
  subject: subjects[invoice.orderKind],
  orderId: invoice.orderId,
  card: invoice.card && cardName(invoice.card),
  currency: invoice.currency,
  lines: invoice.lines.map(lineView),
  amountCents: invoice.amountCents,
  balanceCents: invoice.balanceCents,
  refersTo: invoice.refersTo && referenceView(invoice.refersTo),
  creditNotes: invoice.creditNotes.map(referenceView),
  testMode: settings.testMode,
});

/** `Visa •••• 4242`. */
export const cardName = (card: { brand: string; last4: string }): string =>
  `${brandName(card.brand)} •••• ${card.last4}`;

/** The card network's own spelling. */
export const brandName = (brand: string): string => brands[brand] ?? formatWord(brand);

const brands: Record<string, string> = {
  amex: "American Express",
  cartes_bancaires: "Cartes Bancaires",
  diners: "Diners Club",
  eftpos_au: "eftpos",
  jcb: "JCB",
  mastercard: "Mastercard",
  unionpay: "UnionPay",
};

const subjects = {
  purchase: "Purchase",
  renewal: "Renewal",
  term_change: "Change of term",
} as const satisfies Record<InvoiceDetail["orderKind"], string>;

const lineView = (line: InvoiceLine): LineView => ({
  id: line.id,
  routeId: line.routeId,
  routeName: line.routeName,
  routeCode: line.routeCode,
  covers: line.covers,
  steps: [
    { label: `${line.months === 1 ? "1 month" : `${line.months} months`} at list price`, cents: line.listCents },
    ...line.discounts.map((discount) => ({ label: discountInWords(discount, line.months), cents: -discount.cents })),
    ...(line.creditCents > 0 ? [{ label: "Credit for unused days, at the price paid", cents: -line.creditCents }] : []),
  ],
  totalCents: line.totalCents,
});

export const coversInWords = ({ startDate, endDate }: NonNullable<LineView["covers"]>): string =>
  `${formatDay(startDate)} until ${formatDay(endDate)}`;

const discountInWords = (discount: LineDiscount, months: number): string => {
  if (discount.kind === "term") return `Term discount of ${discount.percent}% for ${months} months`;
  const reason = discount.reason ? ` ${volumeReasonInWords(discount.reason)}` : "";
  return `Volume discount of ${discount.percent}%${reason}`;
};

const referenceView = ({ issuedAt, ...reference }: InvoiceReference): ReferenceView => ({
  ...reference,
  issuedAt: issuedAt.toISOString(),
});
