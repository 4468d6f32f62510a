/** Orders: what is being bought, at a locked price. @spec Purchase */
import type { Standing } from "../accounts/caller.ts";
import type { Term } from "../pricing/discounts.ts";
import type { QuoteLine } from "../pricing/quote.ts";
import { counted } from "../wording.ts";
import type { orderKinds, orderStatuses, returnReasons } from "./enums.ts";

/** A pending order keeps its price for this long. */
export const priceLockHours = 24;
/** `24 hours`. */
export const priceLockInWords = counted(priceLockHours, "hour");
/** Routes of one order, or of a price calculation. */
export const maxOrderItems = 50;
/** The payment provider's minimum for a card payment. */
export const smallestChargeCents = 50;
/** Unpaid orders per account. Opening another one cancels the oldest. */
export const maxOpenOrders = 20;

export type OrderKind = (typeof orderKinds)[number];

export type NewOrder = {
  kind: OrderKind;
  autoRenew: boolean;
  /** Shown to the customer on the payment. */
  description: string;
  lines: NewOrderLine[];
};

export type NewOrderLine = QuoteLine & {
  /** The subscription that is renewed or changed; null for a purchase. */
  subscriptionId: number | null;
  /** The value of the unused days at the price paid, credited against a change of term. */
  creditCents: number;
  /** For a change of term: the last paid term that the credit includes. */
  creditedThroughTermId: number | null;
};

export type OrderLine = {
  id: number;
  periodId: number;
  routeId: number;
  subscriptionId: number | null;
  term: Term;
  totalCents: number;
  creditedThroughTermId: number | null;
};

export type Order = {
  id: number;
  accountId: number;
  kind: OrderKind;
  status: (typeof orderStatuses)[number];
  currency: string;
  amountCents: number;
  autoRenew: boolean;
  /** The price is locked until then. */
  expiresAt: Date;
  returnReason: ReturnReason | null;
  lines: OrderLine[];
};

/** Why a payment is refunded in full instead of fulfilled. */
export type ReturnReason = (typeof returnReasons)[number];

/**
 * Why an order's payment is refunded instead of fulfilled, or null. The time of the provider's charge decides, however
 * late we learn of it.
 *
 * @param standing the account's standing when the payment is settled
 */
export const returnReasonOf = (
  { expiresAt }: { expiresAt: Date },
  standing: Standing,
  chargedAt: Date,
): ReturnReason | null => {
  if (standing === "suspended") return "account_suspended";
  return chargedAt < expiresAt ? null : "paid_too_late";
};
