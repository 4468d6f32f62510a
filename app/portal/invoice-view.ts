/** The text and sums of an invoice, shared by the page and the PDF. */
import { addressLines } from "../domain/billing-details/address-lines.ts";
import { lastDayOf } from "../domain/dates.ts";
import type {
  InvoiceDetail,
  InvoicedPlan,
  InvoiceLine,
  InvoiceReference,
} from "../domain/payments/get-invoice.server.ts";
import type { LineDiscount } from "../domain/payments/line-discounts.ts";
import { volumeReasonInWords } from "../domain/pricing/volume-discount.ts";
import { countryName } from "../domain/tax/countries.ts";
import type { Tax } from "../domain/tax/tax-line.ts";
import { hasVatIdFormat } from "../domain/tax/vat-id.ts";
import { formatDay, formatMoney, formatWord } from "./format.ts";

export type InvoiceView = {
  id: number;
  kind: "invoice" | "credit_note";
  /** `Invoice 2026-000042`. */
  title: string;
  number: string;
  issuedAt: string;
  /** The issuer: legal name, address and tax number, as far as they are configured, and the site. */
  issuer: { name: string; lines: string[]; site: string };
  /** Who is invoiced: name, address and tax number. Null: the account has no billing details. */
  buyer: { name: string; lines: string[] } | null;
  purchaseOrder: string | null;
  account: { username: string; email: string };
  /** `Purchase`, `Renewal`, `Change of term`, `Plan`. */
  subject: string;
  orderId: number;
  /** `Visa •••• 4242`; null if the card is unknown. */
  card: string | null;
  currency: string;
  lines: LineView[];
  /** Before tax. */
  netCents: number;
  /** One for each rate. */
  taxes: { label: string; cents: number }[];
  /** Why no VAT is charged, if the buyer accounts for it. */
  reverseCharge: string | null;
  /** With tax. */
  amountCents: number;
  balanceCents: number;
  refersTo: ReferenceView | null;
  creditNotes: ReferenceView[];
  /** `Lost on 3 Dec 2026: the bank returned the payment`; null without a dispute. */
  dispute: { status: NonNullable<InvoiceDetail["dispute"]>["status"]; inWords: string } | null;
  chargedBackCents: number;
  /** When an invoice was paid; null for a credit note. */
  paidAt: string | null;
  testMode: boolean;
};

export type LineView = {
  id: number;
  /** The route, or the plan. */
  name: string;
  /** Where to read about it. */
  path: string;
  /** The route's code. Null for a plan. */
  code: string | null;
  /** The paid period. */
  covers: InvoiceLine["covers"];
  /** From the list price to the total, step by step. */
  steps: { label: string; cents: number }[];
  /** Before tax. */
  totalCents: number;
  /** `VAT 19%`; empty: not taxed. */
  taxRate: string;
};

export type ReferenceView = { id: number; number: string; amountCents: number; issuedAt: string };

export const invoiceView = (invoice: InvoiceDetail, settings: { appUrl: string; testMode: boolean }): InvoiceView => ({
  id: invoice.id,
  kind: invoice.kind,
  title: `${formatWord(invoice.kind)} ${invoice.number}`,
  number: invoice.number,
  issuedAt: invoice.issuedAt.toISOString(),
  issuer: { ...sellerView(invoice.seller), site: settings.appUrl },
  buyer: invoice.buyer && buyerView(invoice.buyer),
  purchaseOrder: invoice.buyer?.purchaseOrder ?? null,
  account: invoice.account,
  subject: subjects[invoice.orderKind],
  orderId: invoice.orderId,
  card: invoice.card && cardName(invoice.card),
  currency: invoice.currency,
  lines: invoice.planLine ? [planLineView(invoice.orderId, invoice.planLine)] : invoice.lines.map(lineView),
  netCents: invoice.amountCents - invoice.taxCents,
  taxes: invoice.taxes.map((tax) => ({
    label: `${taxName(tax)} on ${taxable(tax, invoice.currency)}`,
    cents: tax.taxCents,
  })),
  reverseCharge: invoice.isReverseCharge ? reverseChargeNote : null,
  amountCents: invoice.amountCents,
  balanceCents: invoice.balanceCents,
  refersTo: invoice.refersTo && referenceView(invoice.refersTo),
  creditNotes: invoice.creditNotes.map(referenceView),
  dispute: invoice.dispute && { status: invoice.dispute.status, inWords: disputeInWords(invoice.dispute) },
  chargedBackCents: invoice.chargedBackCents,
  paidAt: invoice.paidAt?.toISOString() ?? null,
  testMode: settings.testMode,
});

/** Names the provision, as Article 226 (11a) of the directive asks. */
const reverseChargeNote = "Reverse charge: the recipient accounts for the VAT (Article 196 of Directive 2006/112/EC).";

export const sellerView = (seller: InvoiceDetail["seller"]): { name: string; lines: string[] } => {
  if (!seller) return { name: "Shipping Route Data Service", lines: [] };
  const { name, addressLines, country, taxId, email } = seller;
  return {
    name,
    lines: [
      ...addressLines,
      countryName(country),
      ...(taxId ? [taxNumber(taxId, country)] : []),
      ...(email ? [email] : []),
    ],
  };
};

const buyerView = (buyer: NonNullable<InvoiceDetail["buyer"]>): { name: string; lines: string[] } => {
  const { name, taxId, country, email } = buyer;
  return {
    name,
    lines: [
      ...addressLines(buyer, countryName),
      ...(taxId ? [taxNumber(taxId, country)] : []),
      ...(email ? [email] : []),
    ],
  };
};

const taxNumber = (taxId: string, country: string): string =>
  `${hasVatIdFormat(country) ? "VAT ID" : "Tax number"} ${taxId}`;

const taxName = ({ name, ratePercent, jurisdiction }: Tax): string => `${name} ${ratePercent}% (${jurisdiction})`;

const taxable = ({ taxableCents }: Tax, currency: string): string => formatMoney(Math.abs(taxableCents), currency);

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
  plan: "Plan",
} as const satisfies Record<InvoiceDetail["orderKind"], string>;

const lineView = (line: InvoiceLine): LineView => ({
  id: line.id,
  name: line.routeName,
  path: `/routes/${line.routeId}`,
  code: line.routeCode,
  covers: line.covers,
  steps: [
    ...priceSteps(line),
    ...(line.creditCents > 0 ? [{ label: "Credit for unused days, at the price paid", cents: -line.creditCents }] : []),
  ],
  totalCents: line.totalCents,
  taxRate: rateOf(line.taxes),
});

const planLineView = (orderId: number, line: InvoicedPlan): LineView => ({
  id: orderId,
  name: `${formatWord(line.plan)} plan`,
  path: "/plans",
  code: null,
  covers: line.covers,
  steps: [
    { label: `${monthsInWords(line.months)} at ${formatMoney(line.monthlyCents)} per month`, cents: line.totalCents },
  ],
  totalCents: line.totalCents,
  taxRate: rateOf(line.taxes),
});

const rateOf = (taxes: readonly Tax[]): string =>
  taxes.map(({ name, ratePercent }) => `${name} ${ratePercent}%`).join(", ");

const monthsInWords = (months: number): string => (months === 1 ? "1 month" : `${months} months`);

/** From the list price through its discounts. */
export const priceSteps = (line: {
  months: number;
  listCents: number;
  discounts: readonly LineDiscount[];
}): LineView["steps"] => [
  { label: `${monthsInWords(line.months)} at list price`, cents: line.listCents },
  ...line.discounts.map((discount) => ({ label: discountInWords(discount, line.months), cents: -discount.cents })),
];

/** `1 Sep 2026 – 30 Nov 2026`: the first and the last day with access. */
export const coversInWords = ({ startDate, endDate }: NonNullable<LineView["covers"]>): string =>
  `${formatDay(startDate)} – ${formatDay(lastDayOf(endDate))}`;

/** `Volume discount of 5% for 5 to 10 routes`. */
export const discountInWords = (discount: LineDiscount, months: number): string => {
  if (discount.kind === "term") return `Term discount of ${discount.percent}% for ${months} months`;
  const reason = discount.reason ? ` ${volumeReasonInWords(discount.reason)}` : "";
  return `Volume discount of ${discount.percent}%${reason}`;
};

const disputeInWords = ({ status, openedAt, endedAt }: NonNullable<InvoiceDetail["dispute"]>): string =>
  endedAt === null
    ? `Open since ${formatDay(openedAt)}`
    : `${disputeOutcomes[status]} on ${formatDay(endedAt)}: ${status === "lost" ? "the bank returned the payment" : "the payment is valid"}`;

const disputeOutcomes = { open: "Reopened", won: "Won", lost: "Lost", closed: "Closed" } as const;

const referenceView = ({ issuedAt, ...reference }: InvoiceReference): ReferenceView => ({
  ...reference,
  issuedAt: issuedAt.toISOString(),
});
