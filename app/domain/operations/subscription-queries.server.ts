import { and, asc, between, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import { accounts, routes, subscriptions } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { addDays, type Day } from "../dates.ts";
import { containsPattern } from "../like.ts";
import { expiringSoonDays } from "../subscriptions/policy.ts";
import { isRenewing } from "../subscriptions/renewal-condition.server.ts";
import type { SubscriptionStatus } from "../subscriptions/status.ts";
import type { SubscriptionFilter } from "./subscription-filter.ts";

const select = (db: Tx) =>
  db
    .select({
      id: subscriptions.id,
      accountId: subscriptions.accountId,
      username: accounts.username,
      standing: accounts.standing,
      routeId: subscriptions.routeId,
      routeName: routes.name,
      routeCode: routes.code,
      periodId: subscriptions.periodId,
      term: subscriptions.term,
      renewalTerm: subscriptions.renewalTerm,
      startDate: subscriptions.startDate,
      endDate: subscriptions.endDate,
      autoRenew: subscriptions.autoRenew,
      cancelledAt: subscriptions.cancelledAt,
    })
    .from(subscriptions)
    .innerJoin(accounts, eq(accounts.id, subscriptions.accountId))
    .innerJoin(routes, eq(routes.id, subscriptions.routeId));

type Page = { limit: number; today: Day; after: [endDate: Day, id: number] | null };

/** One more than `limit`: newest first, or soonest end first, behind `after`. */
export const searchSubscriptions = (db: Tx, filter: SubscriptionFilter, { limit, today, after }: Page) => {
  const byEnd = filter.order === "ends";
  return select(db)
    .where(
      and(
        filter.status && hasStatus(filter.status, today),
        filter.account === undefined ? undefined : eq(subscriptions.accountId, filter.account),
        filter.route ? isOnRoute(db, filter.route) : undefined,
        after === null
          ? undefined
          : byEnd
            ? sql`(${subscriptions.endDate}, ${subscriptions.id}) > (${after[0]}::date, ${after[1]}::int)`
            : lt(subscriptions.id, after[1]),
      ),
    )
    .orderBy(...(byEnd ? [asc(subscriptions.endDate), asc(subscriptions.id)] : [desc(subscriptions.id)]))
    .limit(limit + 1);
};

/** As `statusOn` derives it. */
const hasStatus = (status: SubscriptionStatus, today: Day) => {
  const { endDate, cancelledAt } = subscriptions;
  const soon = addDays(today, expiringSoonDays);
  return {
    active: and(gt(endDate, soon), isNull(cancelledAt)),
    expiring_soon: and(gt(endDate, today), lte(endDate, soon), isNull(cancelledAt)),
    cancelled: and(gt(endDate, today), isNotNull(cancelledAt)),
    expired: lte(endDate, today),
  }[status];
};

const isOnRoute = (db: Tx, text: string) => {
  const part = containsPattern(text.toLowerCase());
  return inArray(
    subscriptions.routeId,
    db
      .select({ id: routes.id })
      .from(routes)
      .where(or(sql`lower(${routes.code}) like ${part}`, sql`lower(${routes.name}) like ${part}`)),
  );
};

/** Those that renew automatically and end within these days, both included. */
export const renewingBetween = (db: Tx, from: Day, to: Day) =>
  select(db).where(and(between(subscriptions.endDate, from, to), isRenewing));
