/** Renewals: the prices that were announced, and the attempts to charge them. */

import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { RenewalPriceChange } from "../../app/domain/pricing/renewal-price-change.ts";
import type { VolumeDiscountReason } from "../../app/domain/pricing/volume-discount-reason.ts";
import { renewalAttemptStates } from "../../app/domain/subscriptions/enums.ts";
import { day, id, instant } from "./columns.ts";
import { orders } from "./payments.ts";
import { subscriptions, subscriptionTerm } from "./subscriptions.ts";

/**
 * The price of a renewal, locked when it is first announced: by the reminder, or by the first attempt to charge it. The
 * columns are those of the order line that the renewal becomes.
 */
export const renewalPriceLocks = pgTable(
  "renewal_price_locks",
  {
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    /** The end that the renewal would move. */
    endDate: day().notNull(),
    term: subscriptionTerm().notNull(),
    monthlyCents: integer().notNull(),
    listCents: integer().notNull(),
    termDiscountPercent: smallint().notNull(),
    volumeDiscountPercent: smallint().notNull(),
    volumeDiscountReason: jsonb().$type<VolumeDiscountReason>(),
    discountCents: integer().notNull(),
    totalCents: integer().notNull(),
    /** Why it differs from what was last paid, as it was announced. Null when the term was never paid before. */
    priceChange: jsonb().$type<RenewalPriceChange>(),
    lockedAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.endDate, t.term] }),
    check("renewal_price_locks_total", sql`${t.totalCents} = ${t.listCents} - ${t.discountCents}`),
  ],
);

export const renewalAttemptState = pgEnum("renewal_attempt_state", renewalAttemptStates);

export const renewalAttempts = pgTable(
  "renewal_attempts",
  {
    id: id(),
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    orderId: integer()
      .notNull()
      .unique()
      .references(() => orders.id),
    /** The end date that a successful charge would move. */
    endDate: day().notNull(),
    attemptedOn: day().notNull(),
    state: renewalAttemptState().notNull().default("pending"),
    /** Sent to Stripe with the charge. */
    idempotencyKey: text().notNull().unique(),
    declineCode: text(),
    createdAt: instant().notNull(),
    settledAt: instant(),
  },
  (t) => [
    unique("renewal_attempts_day_key").on(t.subscriptionId, t.endDate, t.attemptedOn),
    uniqueIndex("renewal_attempts_one_charge_key")
      .on(t.subscriptionId, t.endDate)
      .where(sql`${t.state} in ('pending', 'succeeded')`),
    index("renewal_attempts_pending_idx").on(t.id).where(sql`${t.state} = 'pending'`),
    index("renewal_attempts_declined_idx").on(t.attemptedOn).where(sql`${t.state} = 'declined'`),
  ],
);
