/** Quotes for orders beyond the table of volume discounts. */

import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgEnum, pgTable, smallint, text, unique } from "drizzle-orm/pg-core";
import { quoteStatuses } from "../../app/domain/quotes/enums.ts";
import { accounts } from "./accounts.ts";
import { periods, routes } from "./catalogue.ts";
import { day, id, instant } from "./columns.ts";
import { subscriptionTerm } from "./subscriptions.ts";

export const quoteStatus = pgEnum("quote_status", quoteStatuses);

export const quotes = pgTable(
  "quotes",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    status: quoteStatus().notNull().default("requested"),
    currency: text().notNull(),
    /** What the account holder wrote with the request. */
    requestNote: text().notNull(),
    requestedAt: instant().notNull(),
    /** Counts the offers, so that the account holder accepts the one that was read. 0: none yet. */
    offerNumber: smallint().notNull().default(0),
    discountPercent: smallint(),
    /** The last day on which the offer can be accepted. */
    validThrough: day(),
    /** Whether the discount stays with the account once the quote is paid. */
    keepsDiscount: boolean().notNull().default(false),
    /** The last day of the discount that stays. Null: until an operator ends it. */
    discountThrough: day(),
    offerNote: text(),
    offeredAt: instant(),
    offeredBy: integer().references(() => accounts.id),
    acceptedAt: instant(),
    /** When it was declined, withdrawn or expired. */
    endedAt: instant(),
    /** Why it was declined or withdrawn. */
    endNote: text(),
  },
  (t) => [
    index("quotes_account_id_idx").on(t.accountId, t.id),
    index("quotes_undecided_idx").on(t.id).where(sql`${t.status} in ('requested', 'offered', 'accepted')`),
    check(
      "quotes_offer",
      sql`num_nulls(${t.discountPercent}, ${t.validThrough}, ${t.offeredAt}, ${t.offeredBy}) = case when ${t.offerNumber} = 0 then 4 else 0 end`,
    ),
    check("quotes_offered", sql`${t.offerNumber} > 0 or ${t.status} in ('requested', 'withdrawn')`),
    check("quotes_discount_percent", sql`${t.discountPercent} between 1 and 100`),
    check("quotes_ended", sql`(${t.endedAt} is not null) = (${t.status} in ('declined', 'expired', 'withdrawn'))`),
  ],
);

/** Priced when the quote is requested, at list price and term discount, and again with each offer. */
export const quoteLines = pgTable(
  "quote_lines",
  {
    id: id(),
    quoteId: integer()
      .notNull()
      .references(() => quotes.id, { onDelete: "cascade" }),
    periodId: integer()
      .notNull()
      .references(() => periods.id),
    routeId: integer()
      .notNull()
      .references(() => routes.id),
    term: subscriptionTerm().notNull(),
    monthlyCents: integer().notNull(),
    listCents: integer().notNull(),
    termDiscountPercent: smallint().notNull(),
    /** Of the offer. 0: none yet. */
    volumeDiscountPercent: smallint().notNull(),
    discountCents: integer().notNull(),
    totalCents: integer().notNull(),
  },
  (t) => [
    unique("quote_lines_quote_period_key").on(t.quoteId, t.periodId),
    check("quote_lines_total", sql`${t.totalCents} = ${t.listCents} - ${t.discountCents} and ${t.totalCents} >= 0`),
  ],
);
