/** What is being bought, at a price that is locked for a day. @spec Purchase */
import type { Term } from "../pricing/discounts.ts";
import type { QuoteLine } from "../pricing/quote.ts";

export const priceLockHours = 24;
/** Card payments below this are not accepted by the payment provider. */
export const smallestChargeCents = 50;

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
  lines: OrderLine[];
};
