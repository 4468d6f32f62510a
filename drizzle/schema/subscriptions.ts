import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgEnum, pgTable } from "drizzle-orm/pg-core";
import { terms } from "../../app/domain/pricing/enums.ts";
import { accounts } from "./accounts.ts";
import { periods, routes } from "./catalogue.ts";
import { day, id, instant } from "./columns.ts";

export const subscriptionTerm = pgEnum("subscription_term", terms);

export const subscriptions = pgTable(
  "subscriptions",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    routeId: integer()
      .notNull()
      .references(() => routes.id),
    periodId: integer()
      .notNull()
      .references(() => periods.id),
    /** The term of the latest purchase. */
    term: subscriptionTerm().notNull(),
    renewalTerm: subscriptionTerm().notNull(),
    startDate: day().notNull(),
    /** Month arithmetic counts `monthsPaid` months from this day. */
    anchorDate: day().notNull(),
    monthsPaid: integer().notNull(),
    /** Exclusive: the first day without access. */
    endDate: day().notNull(),
    autoRenew: boolean().notNull(),
    cancelledAt: instant(),
    createdAt: instant().notNull(),
  },
  (t) => [
    index("subscriptions_account_id_idx").on(t.accountId, t.id),
    // Holds all that entitlements read, which every request with a key does, however many subscribers the route has.
    index("subscriptions_entitlement_idx").on(t.accountId, t.routeId, t.id, t.periodId, t.endDate, t.cancelledAt),
    index("subscriptions_route_id_idx").on(t.routeId, t.endDate),
    index("subscriptions_end_date_idx").on(t.endDate, t.id),
    // Holds all that the list of due renewals reads.
    index("subscriptions_renewing_idx")
      .on(t.endDate, t.id, t.accountId)
      .where(sql`${t.autoRenew} and ${t.cancelledAt} is null`),
    check("subscriptions_dates", sql`${t.endDate} > ${t.startDate}`),
  ],
);
