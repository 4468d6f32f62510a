/** Orders, what they paid for, payment methods, payments and invoices. */

import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { VolumeAgreement } from "../../app/domain/accounts/volume-agreement.ts";
import type { BillingDetails } from "../../app/domain/billing-details/buyer.ts";
import {
  disputeStatuses,
  invoiceKinds,
  orderKinds,
  orderStatuses,
  returnReasons,
} from "../../app/domain/payments/enums.ts";
import type { Seller } from "../../app/domain/payments/seller.ts";
import type { VolumeDiscountReason } from "../../app/domain/pricing/volume-discount-reason.ts";
import type { Tax } from "../../app/domain/tax/tax-line.ts";
import { accounts, planName } from "./accounts.ts";
import { periods, routes } from "./catalogue.ts";
import { day, id, instant } from "./columns.ts";
import { quotes } from "./quotes.ts";
import { subscriptions, subscriptionTerm } from "./subscriptions.ts";

export const orderKind = pgEnum("order_kind", orderKinds);

export const orderStatus = pgEnum("order_status", orderStatuses);

export const returnReason = pgEnum("return_reason", returnReasons);

export const orders = pgTable(
  "orders",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    kind: orderKind().notNull(),
    status: orderStatus().notNull().default("pending"),
    currency: text().notNull(),
    /** What is charged: the lines' totals and `taxCents`. */
    amountCents: integer().notNull(),
    taxCents: integer().notNull().default(0),
    /** The country where the order was taxed. Null: its tax does not depend on the buyer. */
    taxCountry: text(),
    /** The buyer accounts for the VAT. */
    isReverseCharge: boolean().notNull().default(false),
    /** The billing details with which the tax was calculated. */
    buyer: jsonb().$type<BillingDetails>(),
    /** The tax provider's calculation. */
    taxCalculationId: text(),
    /** When the tax was calculated. Null: not yet, so nothing may be charged. */
    taxedAt: instant(),
    autoRenew: boolean().notNull(),
    /** Whether the card that pays becomes the default for renewals, if the order renews. The portal asks the account holder. */
    makesCardDefault: boolean().notNull().default(true),
    /**
     * Null between the order's insert and Stripe's answer. That of an automatic renewal charge is set when it is paid, or
     * when the account holder is asked to authenticate it.
     */
    paymentIntentId: text().unique(),
    createdAt: instant().notNull(),
    /** End of the price lock of a pending order. */
    expiresAt: instant().notNull(),
    paidAt: instant(),
    /** Why the payment bought nothing and is refunded in full. Null: it bought what was ordered. */
    returnReason: returnReason(),
    /** The accepted quote that fixed the prices. */
    quoteId: integer().references(() => quotes.id),
    /** The discount that stays with the account once the order is paid. */
    volumeAgreement: jsonb().$type<VolumeAgreement>(),
  },
  (t) => [
    unique("orders_quote_id_key").on(t.quoteId),
    index("orders_account_id_idx").on(t.accountId, t.id),
    index("orders_pending_idx").on(t.id).where(sql`${t.status} = 'pending'`),
    index("orders_returned_idx").on(t.id).where(sql`${t.returnReason} is not null`),
    check("orders_amount", sql`${t.amountCents} >= ${t.taxCents} and ${t.taxCents} >= 0`),
    check("orders_reverse_charge", sql`not ${t.isReverseCharge} or ${t.taxCents} = 0`),
    check("orders_taxed", sql`${t.taxedAt} is not null or ${t.status} = 'pending'`),
    check("orders_paid", sql`(${t.status} = 'pending') = (${t.paidAt} is null)`),
    check("orders_returned", sql`${t.returnReason} is null or ${t.status} <> 'pending'`),
  ],
);

export const orderLines = pgTable(
  "order_lines",
  {
    id: id(),
    orderId: integer()
      .notNull()
      .references(() => orders.id, { onDelete: "cascade" }),
    periodId: integer()
      .notNull()
      .references(() => periods.id),
    routeId: integer()
      .notNull()
      .references(() => routes.id),
    /** The subscription that is renewed or changed. Null for a purchase. */
    subscriptionId: integer().references((): AnyPgColumn => subscriptions.id),
    term: subscriptionTerm().notNull(),
    monthlyCents: integer().notNull(),
    listCents: integer().notNull(),
    termDiscountPercent: smallint().notNull(),
    volumeDiscountPercent: smallint().notNull(),
    /** As it was when the line was priced. Null without a volume discount. */
    volumeDiscountReason: jsonb().$type<VolumeDiscountReason>(),
    discountCents: integer().notNull(),
    /** Term changes only: credit for unused days, at the price paid. */
    creditCents: integer().notNull().default(0),
    /** Term changes only: the last paid term that the credit covers. Terms paid later are kept. */
    creditedThroughTermId: integer().references((): AnyPgColumn => paidTerms.id),
    /** Before tax. */
    totalCents: integer().notNull(),
    taxes: jsonb().$type<Tax[]>().notNull().default([]),
  },
  (t) => [
    unique("order_lines_order_period_key").on(t.orderId, t.periodId),
    index("order_lines_subscription_id_idx").on(t.subscriptionId).where(sql`${t.subscriptionId} is not null`),
    check(
      "order_lines_total",
      sql`${t.totalCents} = greatest(0, ${t.listCents} - ${t.discountCents} - ${t.creditCents}) and ${t.totalCents} >= 0`,
    ),
    check(
      "order_lines_volume_discount_reason",
      sql`${t.volumeDiscountPercent} = 0 or ${t.volumeDiscountReason} is not null`,
    ),
  ],
);

/** What an order of kind `plan` is for. Such an order has this line and no others. */
export const planOrderLines = pgTable(
  "plan_order_lines",
  {
    orderId: integer()
      .primaryKey()
      .references(() => orders.id, { onDelete: "cascade" }),
    plan: planName().notNull(),
    term: subscriptionTerm().notNull(),
    monthlyCents: integer().notNull(),
    /** The months at that price, before tax. Plans have no discounts. */
    totalCents: integer().notNull(),
    taxes: jsonb().$type<Tax[]>().notNull().default([]),
  },
  (t) => [
    check("plan_order_lines_plan", sql`${t.plan} <> 'free'`),
    check("plan_order_lines_total", sql`${t.monthlyCents} > 0 and ${t.totalCents} >= ${t.monthlyCents}`),
  ],
);

/**
 * What has been paid for: one row per order line, with the days as sold. Ids follow the order of payment. Which of
 * these days remain after term changes is derived in `app/domain/subscriptions/paid-days.ts`.
 */
export const paidTerms = pgTable(
  "paid_terms",
  {
    id: id(),
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    /** Unique, so that an order line is fulfilled once even if its payment is settled twice. */
    orderLineId: integer()
      .notNull()
      .unique()
      .references(() => orderLines.id),
    term: subscriptionTerm().notNull(),
    startDate: day().notNull(),
    endDate: day().notNull(),
    totalCents: integer().notNull(),
    /** The day on which the term's remaining days ended because the bank had returned its payment. */
    endedOn: day(),
    /** The subscription's latest paid term on that day. Terms bought later do not move. */
    endedAfterTermId: integer().references((): AnyPgColumn => paidTerms.id),
  },
  (t) => [
    index("paid_terms_subscription_id_idx").on(t.subscriptionId),
    check("paid_terms_dates", sql`${t.endDate} > ${t.startDate}`),
    check("paid_terms_ended", sql`(${t.endedOn} is null) = (${t.endedAfterTermId} is null)`),
  ],
);

export const paymentMethods = pgTable(
  "payment_methods",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    stripePaymentMethodId: text().notNull().unique(),
    brand: text().notNull(),
    last4: text().notNull(),
    expMonth: smallint().notNull(),
    expYear: smallint().notNull(),
    isDefault: boolean().notNull(),
    /** When the account holder disputed a charge of it. It is charged again only if the account holder chooses it. */
    disputedAt: instant(),
    createdAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("payment_methods_default_key").on(t.accountId).where(sql`${t.isDefault}`),
    index("payment_methods_account_id_idx").on(t.accountId),
  ],
);

export const payments = pgTable(
  "payments",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    orderId: integer()
      .notNull()
      .unique()
      .references(() => orders.id),
    paymentIntentId: text().notNull().unique(),
    chargeId: text().unique(),
    currency: text().notNull(),
    amountCents: integer().notNull(),
    refundedCents: integer().notNull().default(0),
    /** What the bank has taken back in lost disputes, besides refunds. */
    chargedBackCents: integer().notNull().default(0),
    /** While a dispute is open or lost, the payment cannot be refunded. */
    disputedAt: instant(),
    cardBrand: text(),
    cardLast4: text(),
    paidAt: instant().notNull(),
  },
  (t) => [
    index("payments_account_id_idx").on(t.accountId, t.id),
    index("payments_disputed_at_idx").on(t.disputedAt).where(sql`${t.disputedAt} is not null`),
    check("payments_refunded", sql`${t.refundedCents} between 0 and ${t.amountCents}`),
    check("payments_charged_back", sql`${t.chargedBackCents} between 0 and ${t.amountCents}`),
  ],
);

export const disputeStatus = pgEnum("dispute_status", disputeStatuses);

/** Disputes of payments at the cardholders' banks, as the payment provider last reported them. */
export const disputes = pgTable(
  "disputes",
  {
    id: id(),
    /** The provider's id. */
    providerId: text().notNull().unique(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    paymentId: integer()
      .notNull()
      .references(() => payments.id),
    status: disputeStatus().notNull(),
    /** The bank's reason, in the provider's words: `fraudulent`. */
    reason: text().notNull(),
    amountCents: integer().notNull(),
    openedAt: instant().notNull(),
    /** When we learned that it has ended. */
    endedAt: instant(),
  },
  (t) => [
    index("disputes_account_id_idx").on(t.accountId, t.id),
    index("disputes_payment_id_idx").on(t.paymentId),
    check("disputes_ended", sql`(${t.status} = 'open') = (${t.endedAt} is null)`),
  ],
);

/** The last invoice number of each year. Locking the row keeps the numbers gapless. */
export const invoiceCounters = pgTable("invoice_counters", {
  year: integer().primaryKey(),
  lastNumber: integer().notNull(),
});

export const invoiceKind = pgEnum("invoice_kind", invoiceKinds);

export const invoices = pgTable(
  "invoices",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    kind: invoiceKind().notNull(),
    year: integer().notNull(),
    number: integer().notNull(),
    currency: text().notNull(),
    /** With tax. Negative on a credit note. */
    amountCents: integer().notNull(),
    /** The part of the amount that is tax. Negative on a credit note. */
    taxCents: integer().notNull().default(0),
    /** One for each rate. Negative on a credit note. */
    taxes: jsonb().$type<Tax[]>().notNull().default([]),
    /** The buyer accounts for the VAT. */
    isReverseCharge: boolean().notNull().default(false),
    /** As configured when it was issued. Null: not configured. */
    seller: jsonb().$type<Seller>(),
    /** The account's billing details when it was issued. Null: it had none. */
    buyer: jsonb().$type<BillingDetails>(),
    issuedAt: instant().notNull(),
    /** The provider's refund that a credit note documents. Unique: each refund is credited once. */
    refundId: text().unique(),
  },
  (t) => [
    unique("invoices_number_key").on(t.year, t.number),
    uniqueIndex("invoices_order_id_key").on(t.orderId).where(sql`${t.kind} = 'invoice'`),
    index("invoices_account_id_idx").on(t.accountId, t.id),
    index("invoices_issued_at_idx").on(t.issuedAt),
    check("invoices_sign", sql`(${t.kind} = 'invoice') = (${t.amountCents} >= 0)`),
    check("invoices_tax", sql`${t.taxCents} between least(0, ${t.amountCents}) and greatest(0, ${t.amountCents})`),
  ],
);

/** Events and card setups from the payment provider that have been handled. Each is handled once. */
export const webhookEvents = pgTable("webhook_events", {
  id: text().primaryKey(),
  type: text().notNull(),
  handledAt: instant().notNull(),
});

/**
 * One row: when a call to the payment provider last went unanswered, by the real clock. Null once the process that failed
 * has been answered. Shared, because only one process records incidents.
 */
export const paymentContact = pgTable(
  "payment_contact",
  { id: smallint().primaryKey().default(1), failedAt: instant() },
  (t) => [check("payment_contact_one_row", sql`${t.id} = 1`)],
);
