/** Plans that are sold: their prices, and what accounts have paid for. */

import { sql } from "drizzle-orm";
import { type AnyPgColumn, check, index, integer, pgTable } from "drizzle-orm/pg-core";
import { accounts, planName } from "./accounts.ts";
import { day, id, instant } from "./columns.ts";
import { planOrderLines } from "./payments.ts";
import { subscriptionTerm } from "./subscriptions.ts";

/** The latest row of a plan applies. Without one its price is on request. */
export const planPrices = pgTable(
  "plan_prices",
  {
    id: id(),
    plan: planName().notNull(),
    /** Null: withdrawn, so the price is on request again. */
    monthlyCents: integer(),
    validFrom: instant().notNull(),
    /** Null: set by command. The audit log names the user of the machine. */
    operatorAccountId: integer().references(() => accounts.id),
  },
  (t) => [
    index("plan_prices_plan_idx").on(t.plan, t.id),
    check("plan_prices_plan", sql`${t.plan} <> 'free'`),
    check("plan_prices_monthly_cents", sql`${t.monthlyCents} > 0`),
  ],
);

/** The paid plan that an account has now. Accounts whose plan an operator has set have no row, and no end. */
export const paidPlans = pgTable(
  "paid_plans",
  {
    accountId: integer()
      .primaryKey()
      .references(() => accounts.id),
    plan: planName().notNull(),
    startDate: day().notNull(),
    /** Month arithmetic counts `monthsPaid` months from this day. */
    anchorDate: day().notNull(),
    monthsPaid: integer().notNull(),
    /** Exclusive: the first day without the plan. */
    endDate: day().notNull(),
  },
  (t) => [
    index("paid_plans_end_date_idx").on(t.endDate),
    check("paid_plans_plan", sql`${t.plan} <> 'free'`),
    check("paid_plans_dates", sql`${t.endDate} > ${t.startDate}`),
  ],
);

/** One row per paid order of a plan, with the days as sold. Ids follow the order of payment. */
export const paidPlanTerms = pgTable(
  "paid_plan_terms",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    /** Unique, so that an order is fulfilled once even if its payment is settled twice. */
    orderId: integer()
      .notNull()
      .unique()
      .references(() => planOrderLines.orderId),
    plan: planName().notNull(),
    term: subscriptionTerm().notNull(),
    startDate: day().notNull(),
    endDate: day().notNull(),
    totalCents: integer().notNull(),
    /** The day on which the remaining days ended: the bank returned the payment, or the plan was changed. */
    endedOn: day(),
    /** The account's latest paid term on that day. Terms bought later do not move. */
    endedAfterTermId: integer().references((): AnyPgColumn => paidPlanTerms.id),
  },
  (t) => [
    index("paid_plan_terms_account_id_idx").on(t.accountId, t.id),
    check("paid_plan_terms_dates", sql`${t.endDate} > ${t.startDate}`),
    check("paid_plan_terms_ended", sql`(${t.endedOn} is null) = (${t.endedAfterTermId} is null)`),
  ],
);
