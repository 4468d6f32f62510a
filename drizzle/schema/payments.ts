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
import { invoiceKinds, orderKinds, orderStatuses, returnReasons } from "../../app/domain/payments/enums.ts";
import type { VolumeDiscountReason } from "../../app/domain/pricing/volume-discount-reason.ts";
import { accounts } from "./accounts.ts";
import { periods, routes } from "./catalogue.ts";
import { day, id, instant } from "./columns.ts";
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
    amountCents: integer().notNull(),
    autoRenew: boolean().notNull(),
    /** Null only between the order's insert and Stripe's answer. */
    paymentIntentId: text().unique(),
    createdAt: instant().notNull(),
    /** End of the price lock of a pending order. */
    expiresAt: instant().notNull(),
    paidAt: instant(),
    /** Why the payment bought nothing and is refunded in full. Null: it bought what was ordered. */
    returnReason: returnReason(),
  },
  (t) => [
    index("orders_account_id_idx").on(t.accountId, t.id),
    index("orders_pending_idx").on(t.id).where(sql`${t.status} = 'pending'`),
    index("orders_returned_idx").on(t.id).where(sql`${t.returnReason} is not null`),
    check("orders_amount", sql`${t.amountCents} >= 0`),
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
    totalCents: integer().notNull(),
  },
  (t) => [
    unique("order_lines_order_period_key").on(t.orderId, t.periodId),
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
  },
  (t) => [
    index("paid_terms_subscription_id_idx").on(t.subscriptionId),
    check("paid_terms_dates", sql`${t.endDate} > ${t.startDate}`),
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
    disputedAt: instant(),
    cardBrand: text(),
    cardLast4: text(),
    paidAt: instant().notNull(),
  },
  (t) => [
    index("payments_account_id_idx").on(t.accountId, t.id),
    index("payments_disputed_at_idx").on(t.disputedAt).where(sql`${t.disputedAt} is not null`),
    check("payments_refunded", sql`${t.refundedCents} between 0 and ${t.amountCents}`),
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
    /** Negative on a credit note. */
    amountCents: integer().notNull(),
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
  ],
);

/** Events and card setups from the payment provider that have been handled. Each is handled once. */
export const webhookEvents = pgTable("webhook_events", {
  id: text().primaryKey(),
  type: text().notNull(),
  handledAt: instant().notNull(),
});
