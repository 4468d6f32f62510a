/** Attempts to charge renewals. */

import { sql } from "drizzle-orm";
import { index, integer, pgEnum, pgTable, text, unique, uniqueIndex } from "drizzle-orm/pg-core";
import { renewalAttemptStates } from "../../app/domain/subscriptions/enums.ts";
import { day, id, instant } from "./columns.ts";
import { orders } from "./payments.ts";
import { subscriptions } from "./subscriptions.ts";

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
    index("renewal_attempts_declined_idx").on(t.attemptedOn).where(sql`${t.state} = 'declined'`),
  ],
);
