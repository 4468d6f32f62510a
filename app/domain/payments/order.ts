/** Orders: what is being bought, at a locked price. @spec Purchase */
import type { Standing } from "../accounts/caller.ts";
import type { VolumeAgreement } from "../accounts/volume-agreement.ts";
import type { BillingDetails } from "../billing-details/buyer.ts";
import type { Plan } from "../plans/plans.ts";
import type { Term } from "../pricing/discounts.ts";
import type { QuoteLine } from "../pricing/quote.ts";
import type { Tax } from "../tax/tax-line.ts";
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
  /** The routes. Empty for a plan. */
  lines: NewOrderLine[];
  planLine?: NewPlanLine;
  /** The accepted quote that the order is for. */
  quoteId?: number;
  /** The discount that stays with the account once the order is paid. */
  volumeAgreement?: VolumeAgreement | null;
};

export type NewOrderLine = QuoteLine & {
  /** The subscription that is renewed or changed; null for a purchase. */
  subscriptionId: number | null;
  /** The value of the unused days at the price paid, credited against a change of term. */
  creditCents: number;
  /** For a change of term: the last paid term that the credit includes. */
  creditedThroughTermId: number | null;
};

/** What an order of kind `plan` is for. */
export type NewPlanLine = {
  plan: Plan;
  term: Term;
  monthlyCents: number;
  /** Before tax. */
  totalCents: number;
};

export type PlanLine = NewPlanLine & { taxes: Tax[] };

export type OrderLine = {
  id: number;
  periodId: number;
  routeId: number;
  subscriptionId: number | null;
  term: Term;
  /** Before tax. */
  totalCents: number;
  taxes: Tax[];
  creditedThroughTermId: number | null;
};

export type Order = {
  id: number;
  accountId: number;
  kind: OrderKind;
  status: (typeof orderStatuses)[number];
  currency: string;
  /** With tax: what is charged. */
  amountCents: number;
  taxCents: number;
  /** Where the order was taxed. Null: its tax does not depend on the buyer. */
  taxCountry: string | null;
  isReverseCharge: boolean;
  /** The billing details with which the tax was calculated. */
  buyer: BillingDetails | null;
  /** Null for an automatic renewal charge, unless the account holder has been asked to authenticate it. */
  paymentIntentId: string | null;
  autoRenew: boolean;
  /** Whether the card that pays becomes the default for renewals, if the order renews. */
  makesCardDefault: boolean;
  /** The price is locked until then. */
  expiresAt: Date;
  returnReason: ReturnReason | null;
  /** The discount that stays with the account once the order is paid. */
  volumeAgreement: VolumeAgreement | null;
  /** The routes. Empty for a plan. */
  lines: OrderLine[];
  /** Null unless the order is for a plan. */
  planLine: PlanLine | null;
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
