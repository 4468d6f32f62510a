/** What is being bought, at a locked price. @spec Endpoints (the purchase flow) */
import type { Standing } from "../accounts/caller.ts";
import type { Term } from "../pricing/discounts.ts";
import type { QuoteLine } from "../pricing/quote.ts";
import { counted } from "../wording.ts";

/** A pending order keeps its price for this long. */
export const priceLockHours = 24;
/** `24 hours`. */
export const priceLockInWords = counted(priceLockHours, "hour");
/** Routes of one order, or of a price calculation. */
export const maxOrderItems = 50;
/** Card payments below this are not accepted by the payment provider. */
export const smallestChargeCents = 50;
/** Unpaid orders of one account. Opening another one withdraws the oldest. */
export const maxOpenOrders = 20;

export type OrderKind = "purchase" | "renewal" | "term_change";

export type NewOrder = {
  kind: OrderKind;
  autoRenew: boolean;
  /** What the customer reads on the payment. */
  description: string;
  lines: NewOrderLine[];
};

export type NewOrderLine = QuoteLine & {
  /** The subscription that is renewed or changed; null for a purchase. */
  subscriptionId: number | null;
  /** Unused days at the price paid, set against a change of term. */
  creditCents: number;
  /** A change of term only: the last paid term that the credit counts in. */
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
  status: "pending" | "paid" | "refunded";
  currency: string;
  amountCents: number;
  autoRenew: boolean;
  /** The price is locked until then. */
  expiresAt: Date;
  returnReason: ReturnReason | null;
  lines: OrderLine[];
};

export const returnReasons = ["paid_too_late", "account_suspended"] as const;
/** Why a payment buys nothing and is refunded in full. */
export type ReturnReason = (typeof returnReasons)[number];

/**
 * Whether an order's payment is refunded instead of buying what was ordered. What counts is when the payment provider
 * charged the card, however late we learn of it.
 *
 * @param standing the account's, at the moment when the payment is settled
 */
export const returnReasonOf = (
  { expiresAt }: { expiresAt: Date },
  standing: Standing,
  chargedAt: Date,
): ReturnReason | null => {
  if (standing === "suspended") return "account_suspended";
  return chargedAt < expiresAt ? null : "paid_too_late";
};
