/** The records that reconciliation compares, as they were read from one snapshot. */
import type { Day } from "../dates.ts";
import type { Plan } from "../plans/plans.ts";
import type { Term } from "../pricing/discounts.ts";
import type { Tax } from "../tax/tax-line.ts";
import type { disputeStatuses, invoiceKinds } from "./enums.ts";
import type { OrderKind } from "./order.ts";

export type Books = {
  orders: {
    id: number;
    accountId: number;
    kind: OrderKind;
    status: "pending" | "paid" | "refunded";
    currency: string;
    /** With tax. */
    amountCents: number;
    taxCents: number;
    isReverseCharge: boolean;
    paymentIntentId: string | null;
    /** Set when the payment is refunded in full instead of fulfilled. */
    returnReason: string | null;
  }[];
  lines: {
    id: number;
    orderId: number;
    routeId: number;
    term: Term;
    monthlyCents: number;
    listCents: number;
    termDiscountPercent: number;
    volumeDiscountPercent: number;
    discountCents: number;
    creditCents: number;
    totalCents: number;
    taxes: Tax[];
  }[];
  /** What orders of plans are for, instead of lines. */
  planLines: {
    orderId: number;
    plan: Plan;
    term: Term;
    monthlyCents: number;
    totalCents: number;
    taxes: Tax[];
  }[];
  payments: {
    id: number;
    orderId: number;
    accountId: number;
    paymentIntentId: string;
    chargeId: string | null;
    currency: string;
    amountCents: number;
    refundedCents: number;
    chargedBackCents: number;
    /** Set while the bank decides. Disputed payments are not refunded. */
    disputedAt: Date | null;
  }[];
  invoices: {
    id: number;
    orderId: number;
    accountId: number;
    kind: (typeof invoiceKinds)[number];
    year: number;
    number: number;
    currency: string;
    amountCents: number;
    taxCents: number;
    taxes: Tax[];
    isReverseCharge: boolean;
    issuedAt: Date;
    refundId: string | null;
  }[];
  counters: { year: number; lastNumber: number }[];
  paidTerms: {
    id: number;
    orderLineId: number;
    subscriptionId: number;
    term: Term;
    totalCents: number;
    accountId: number;
    routeId: number;
    endedOn: Day | null;
  }[];
  paidPlanTerms: {
    id: number;
    orderId: number;
    accountId: number;
    plan: Plan;
    term: Term;
    totalCents: number;
    endDate: Day;
    endedOn: Day | null;
  }[];
  /** The paid plans that run. */
  paidPlans: { accountId: number; plan: Plan; endDate: Day; accountPlan: Plan }[];
  disputes: { paymentId: number; status: (typeof disputeStatuses)[number]; amountCents: number }[];
  subscriptionsWithoutTerm: { id: number }[];
  /** The payment provider's records. Null where they cannot be listed. */
  provider: {
    charges: {
      id: string;
      amountCents: number;
      refundedCents: number;
      currency: string;
      paymentIntentId: string | null;
      customerId: string | null;
    }[];
    refunds: { id: string; chargeId: string | null; amountCents: number }[];
    /** What the banks took back, one per lost dispute. */
    chargebacks: { chargeId: string | null; amountCents: number }[];
    customerOf: ReadonlyMap<number, string | null>;
  } | null;
};
