import { sql } from "drizzle-orm";
import {
  accounts,
  alerts,
  disputes,
  paymentMethods,
  payments,
  renewalAttempts,
  routes,
  subscriptions,
} from "#drizzle/schema/index.ts";
import { statement } from "../../platform/statement.server.ts";
import type { Day } from "../dates.ts";
import { isRenewing } from "../subscriptions/renewal-condition.server.ts";

/** A renewal that is past due: `isPastDue` in SQL. */
type PastDue = {
  subscriptionId: number;
  routeId: number;
  routeName: string;
  endDate: Day;
  declineCode: string | null;
};

type OpenDispute = { amountCents: number; currency: string; hasRenewalCard: boolean };

/** Each part has at most a few rows, found by an index. */
export const selectNotices = statement<
  { pastDue: PastDue[] | null; disputes: OpenDispute[] | null; unreadAlerts: number },
  { accountId: number; today: Day }
>(
  ({ accountId, today }) => sql`
    select
      (
        select json_agg(latest order by latest."endDate", latest."subscriptionId")
        from (
          select distinct on (${renewalAttempts.subscriptionId})
            ${subscriptions.id} as "subscriptionId", ${routes.id} as "routeId", ${routes.name} as "routeName",
            ${subscriptions.endDate} as "endDate", ${renewalAttempts.state}, ${renewalAttempts.declineCode} as "declineCode"
          from ${renewalAttempts}
          join ${subscriptions} on ${subscriptions.id} = ${renewalAttempts.subscriptionId}
            and ${subscriptions.endDate} = ${renewalAttempts.endDate}
          join ${routes} on ${routes.id} = ${subscriptions.routeId}
          join ${accounts} on ${accounts.id} = ${subscriptions.accountId}
          where ${subscriptions.accountId} = ${accountId} and ${subscriptions.endDate} > ${today}::date and ${isRenewing}
          order by ${renewalAttempts.subscriptionId}, ${renewalAttempts.id} desc
        ) latest
        where latest.state = 'declined'
      ) as "pastDue",
      (
        select json_agg(
          json_build_object(
            'amountCents', ${disputes.amountCents},
            'currency', ${payments.currency},
            'hasRenewalCard', exists (
              select from ${paymentMethods}
              where ${paymentMethods.accountId} = ${disputes.accountId} and ${paymentMethods.isDefault}
            )
          ) order by ${disputes.id}
        )
        from ${disputes} join ${payments} on ${payments.id} = ${disputes.paymentId}
        where ${disputes.accountId} = ${accountId} and ${disputes.status} = 'open'
      ) as disputes,
      (
        select count(*)::integer from ${alerts} where ${alerts.accountId} = ${accountId} and ${alerts.readAt} is null
      ) as "unreadAlerts"`,
);
