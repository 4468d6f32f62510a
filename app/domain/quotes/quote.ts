/** Quotes: a holder requests a price for an order beyond the table of volume discounts, and an operator offers one. */
import { z } from "zod";
import type { Day } from "../dates.ts";
import { enteredDay, severalLines } from "../input.ts";
import type { Term } from "../pricing/discounts.ts";
import { highestAgreedPercent } from "../pricing/policy.ts";
import type { OrderItem } from "../subscriptions/order-items.ts";
import type { quoteStatuses } from "./enums.ts";
import { longestNote } from "./policy.ts";

export type QuoteStatus = (typeof quoteStatuses)[number];

/** `paid`: accepted, and the order is paid. */
export type QuoteState = QuoteStatus | "paid";

export type Offer = {
  discountPercent: number;
  /** The last day on which the offer can be accepted. */
  validThrough: Day;
  /** Whether the discount stays with the account once the quote is paid. */
  keepsDiscount: boolean;
  /** The last day of the discount that stays. Null: until an operator ends it. */
  discountThrough: Day | null;
  note: string;
  offeredAt: Date;
  /** The operator's account. */
  offeredBy: number;
};

export type SalesQuote = {
  id: number;
  accountId: number;
  state: QuoteState;
  currency: string;
  requestNote: string;
  requestedAt: Date;
  /** Counts the offers. 0: none yet. */
  offerNumber: number;
  offer: Offer | null;
  acceptedAt: Date | null;
  /** When it was declined, withdrawn or marked as expired. */
  endedAt: Date | null;
  /** Why it was declined or withdrawn. */
  endNote: string | null;
  /** The order that was opened for it. Null: none, or it was cancelled unpaid. */
  orderId: number | null;
  routes: number;
  listCents: number;
  totalCents: number;
};

export type QuoteLineRow = {
  id: number;
  periodId: number;
  routeId: number;
  routeName: string;
  routeCode: string;
  term: Term;
  monthlyCents: number;
  listCents: number;
  termDiscountPercent: number;
  /** Of the offer. 0: none yet. */
  volumeDiscountPercent: number;
  discountCents: number;
  totalCents: number;
};

/**
 * The state on a day. An offer expires with its date, not with the job that writes it down. An accepted quote expires as
 * well if no order is open for it.
 */
export const quoteState = (
  quote: { status: QuoteStatus; validThrough: Day | null; isOrdered: boolean; isPaid: boolean },
  today: Day,
): QuoteState => {
  if (quote.isPaid) return "paid";
  const isDecidable = quote.status === "offered" || (quote.status === "accepted" && !quote.isOrdered);
  return isDecidable && quote.validThrough !== null && quote.validThrough < today ? "expired" : quote.status;
};

/** The items of a quote, to request another one. */
export const itemsOf = (lines: readonly Pick<QuoteLineRow, "periodId" | "term">[]): OrderItem[] =>
  lines.map(({ periodId, term }) => ({ periodId, term }));

/** Browsers send line ends as CRLF. */
const note = z
  .string()
  .transform((text) => text.replaceAll("\r\n", "\n").trim())
  .pipe(
    z
      .string()
      .max(longestNote)
      .regex(...severalLines),
  );

const percentMessage = `A whole number from 1 to ${highestAgreedPercent}`;

/** What the account holder writes with a request, a refusal or nothing. */
export const quoteNote = z.object({ note: note.default("") });

export const offerForm = z
  .object({
    /** The last offer that the operator has seen; 0: none. */
    offer_number: z.coerce.number().int().min(0),
    discount_percent: z
      .string()
      .trim()
      .regex(/^\d{1,3}$/, percentMessage)
      .transform(Number)
      .refine((percent) => percent >= 1 && percent <= highestAgreedPercent, percentMessage),
    valid_through: enteredDay,
    keeps_discount: z
      .literal("on")
      .optional()
      .transform((value) => value === "on"),
    discount_through: z.union([z.literal("").transform(() => null), enteredDay]).default(null),
    note,
  })
  .transform(({ offer_number, discount_percent, valid_through, keeps_discount, discount_through, note }) => ({
    offerNumber: offer_number,
    discountPercent: discount_percent,
    validThrough: valid_through,
    keepsDiscount: keeps_discount,
    discountThrough: keeps_discount ? discount_through : null,
    note,
  }));

export type NewOffer = z.output<typeof offerForm>;

/** Which offer the reader has seen. */
export const seenOffer = z.object({ offer_number: z.coerce.number().int().min(0) });
