import { and, asc, between, desc, eq, gt, inArray, lt, sql } from "drizzle-orm";
import {
  accounts,
  orders,
  periods,
  renewalAttempts,
  renewalPriceLocks,
  routeGroups,
  routes,
  subscriptions,
} from "#drizzle/schema/index.ts";
import { batchByKey } from "../../platform/batch-by-key.server.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { isOneOf } from "../../platform/is-one-of.server.ts";
import { statement } from "../../platform/statement.server.ts";
import type { AgreedDiscount } from "../accounts/volume-agreement.ts";
import type { Day } from "../dates.ts";
import { largestId } from "../input.ts";
import { type EntitlementRow, subscriptionsOf, wantedRoutes } from "./entitlement-columns.server.ts";
import type { RecordedAttempt } from "./renewal.ts";
import { isRenewing } from "./renewal-condition.server.ts";
import type { SubscriptionRow } from "./subscription.ts";

const selectSubscriptions = (db: Tx) =>
  db
    .select({
      id: subscriptions.id,
      accountId: subscriptions.accountId,
      routeId: subscriptions.routeId,
      routeName: routes.name,
      routeCode: routes.code,
      periodId: subscriptions.periodId,
      term: subscriptions.term,
      renewalTerm: subscriptions.renewalTerm,
      startDate: subscriptions.startDate,
      anchorDate: subscriptions.anchorDate,
      monthsPaid: subscriptions.monthsPaid,
      endDate: subscriptions.endDate,
      autoRenew: subscriptions.autoRenew,
      cancelledAt: subscriptions.cancelledAt,
    })
    .from(subscriptions)
    .innerJoin(routes, eq(routes.id, subscriptions.routeId));

/** Routes with an active subscription. */
export const runningRouteIds = async (db: Tx, accountId: number, today: Day): Promise<number[]> => {
  const rows = await runningRouteIdsIn(db).execute({ accountId, today });
  return rows.map(({ routeId }) => routeId);
};

const runningRouteIdsIn = perDatabase((db) =>
  db
    .selectDistinct({ routeId: subscriptions.routeId })
    .from(subscriptions)
    .where(isRunningOfAccount)
    .prepare("running_routes"),
);

const isRunningOfAccount = and(
  eq(subscriptions.accountId, sql.placeholder("accountId")),
  sql`${subscriptions.endDate} > ${sql.placeholder("today")}`,
);

/** The trade lanes of routes with an active subscription. */
export const runningLaneIds = async (db: Tx, accountId: number, today: Day): Promise<Set<number>> => {
  const rows = await runningLaneIdsIn(db).execute({ accountId, today });
  return new Set(rows.map(({ id }) => id));
};

const runningLaneIdsIn = perDatabase((db) =>
  db
    .selectDistinct({ id: routeGroups.tradeLaneId })
    .from(subscriptions)
    .innerJoin(routes, eq(routes.id, subscriptions.routeId))
    .innerJoin(routeGroups, eq(routeGroups.id, routes.routeGroupId))
    .where(isRunningOfAccount)
    .prepare("running_lanes"),
);

/** The routes and periods of active subscriptions. */
export const runningPeriodsOf = (
  db: Tx,
  accountId: number,
  today: Day,
): Promise<{ routeId: number; periodId: number }[]> => runningPeriodsIn(db).execute({ accountId, today });

const runningPeriodsIn = perDatabase((db) =>
  db
    .select({ routeId: subscriptions.routeId, periodId: subscriptions.periodId })
    .from(subscriptions)
    .where(isRunningOfAccount)
    .prepare("running_periods"),
);

/** Newest first. */
export const listOf = (db: Tx, accountId: number): Promise<SubscriptionRow[]> => listOfAccounts(db, [accountId]);

const listOfAccounts = batchByKey(
  (db, accountIds): Promise<SubscriptionRow[]> => listOfAccountsIn(db).execute({ accountIds }),
  ({ accountId }) => accountId,
);

const listOfAccountsIn = perDatabase((db) =>
  selectSubscriptions(db)
    .where(isOneOf(subscriptions.accountId, sql.placeholder("accountIds")))
    .orderBy(desc(subscriptions.id))
    .prepare("subscriptions_of_accounts"),
);

/** One more than `limit`, newest first, after `after`. */
export const pageOfAccount = (
  db: Tx,
  accountId: number,
  limit: number,
  after: [id: number] | null,
): Promise<SubscriptionRow[]> =>
  pageOfAccountIn(db).execute({ accountId, before: after?.[0] ?? largestId, limit: limit + 1 });

const pageOfAccountIn = perDatabase((db) =>
  selectSubscriptions(db)
    .where(
      and(eq(subscriptions.accountId, sql.placeholder("accountId")), lt(subscriptions.id, sql.placeholder("before"))),
    )
    .orderBy(desc(subscriptions.id))
    .limit(sql.placeholder("limit"))
    .prepare("subscriptions_page"),
);

/** Those that end between these days, both included, soonest first. */
export const endingOf = (
  db: Tx,
  accountId: number,
  { first, last }: { first: Day; last: Day },
): Promise<SubscriptionRow[]> => endingOfAccounts(db, [accountId], first, last);

const endingOfAccounts = batchByKey(
  (db, accountIds, first: Day, last: Day): Promise<SubscriptionRow[]> =>
    endingOfAccountsIn(db).execute({ accountIds, first, last }),
  ({ accountId }) => accountId,
);

const endingOfAccountsIn = perDatabase((db) =>
  selectSubscriptions(db)
    .where(
      and(
        isOneOf(subscriptions.accountId, sql.placeholder("accountIds")),
        between(subscriptions.endDate, sql.placeholder("first"), sql.placeholder("last")),
      ),
    )
    .orderBy(asc(subscriptions.endDate), asc(subscriptions.id))
    .prepare("subscriptions_ending_of_accounts"),
);

/** One more than `limit` of those that end between these days, both included, soonest first, after `after`. */
export const pageOfEnding = (
  db: Tx,
  accountId: number,
  { first, last }: { first: Day; last: Day },
  limit: number,
  after: [endDate: Day, id: number] | null,
): Promise<SubscriptionRow[]> => {
  const [afterDay, afterId] = after ?? [first, 0];
  return pageOfEndingIn(db).execute({ accountId, first, last, afterDay, afterId, limit: limit + 1 });
};

const pageOfEndingIn = perDatabase((db) => {
  const after = sql`(${sql.placeholder("afterDay")}::date, ${sql.placeholder("afterId")}::integer)`;
  return selectSubscriptions(db)
    .where(
      and(
        eq(subscriptions.accountId, sql.placeholder("accountId")),
        between(subscriptions.endDate, sql.placeholder("first"), sql.placeholder("last")),
        sql`(${subscriptions.endDate}, ${subscriptions.id}) > ${after}`,
      ),
    )
    .orderBy(asc(subscriptions.endDate), asc(subscriptions.id))
    .limit(sql.placeholder("limit"))
    .prepare("subscriptions_ending");
});

export const findByIds = (db: Tx, ids: number[]): Promise<SubscriptionRow[]> =>
  selectSubscriptions(db).where(inArray(subscriptions.id, ids)).orderBy(asc(subscriptions.id));

/** For each of these pairs, by its place from 1 on, what entitles the account to the route. One query for all waiting lookups. */
export const findEntitlements = (
  db: Tx,
  wanted: { accountId: number | null; routeId: number }[],
  now: Date,
): Promise<({ place: number } & EntitlementRow)[]> =>
  selectEntitlements(db, {
    accountIds: wanted.map(({ accountId }) => accountId),
    routeIds: wanted.map(({ routeId }) => routeId),
    now: now.toISOString(),
  });

const selectEntitlements = statement<
  { place: number } & EntitlementRow,
  { accountIds: (number | null)[]; routeIds: number[]; now: string }
>(
  ({ accountIds, routeIds, now }) => sql`
    with ${wantedRoutes({ routeIds, now })}
    select wanted.place::integer, wanted_route.*,
      ${subscriptionsOf({ accountId: sql`wanted.account_id`, routeId: sql`wanted.route_id` })} as subscriptions
    from unnest((select ${accountIds}::integer[]), (select ${routeIds}::integer[]))
      with ordinality as wanted (account_id, route_id, place)
    join wanted_route using (route_id)`,
);

/** The distinct routes of each account's active subscriptions, each with the account's agreed discount. */
export const runningRoutes = batchByKey(
  (db, accountIds, today: Day): Promise<RunningRoute[]> => selectRunningRoutes(db, { accountIds, today }),
  ({ accountId }) => accountId,
);

type RunningRoute = { accountId: number; routeId: number } & AgreedDiscount;

const selectRunningRoutes = statement<RunningRoute, { accountIds: number[]; today: Day }>(
  ({ accountIds, today }) => sql`
    select distinct ${subscriptions.accountId} as "accountId", ${subscriptions.routeId} as "routeId",
      ${accounts.customDiscountPercent} as "customDiscountPercent",
      ${accounts.customDiscountThrough} as "customDiscountThrough"
    from unnest((select ${accountIds}::integer[])) as wanted (id)
    join ${accounts} on ${accounts.id} = wanted.id
    join ${subscriptions} on ${subscriptions.accountId} = ${accounts.id}
    where ${subscriptions.endDate} > ${today}::date`,
);

/** The active subscription to the period, if any, locked until the transaction ends. */
export const lockRunning = async (tx: Tx, accountId: number, periodId: number, today: Day) => {
  const [row] = await tx
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.accountId, accountId),
        eq(subscriptions.periodId, periodId),
        sql`${subscriptions.endDate} > ${today}`,
      ),
    )
    .for("update");
  return row ?? null;
};

/** The account's active subscriptions to these periods. */
export const runningToPeriods = (
  db: Tx,
  accountId: number,
  periodIds: number[],
  today: Day,
): Promise<SubscriptionRow[]> =>
  selectSubscriptions(db).where(
    and(
      eq(subscriptions.accountId, accountId),
      inArray(subscriptions.periodId, periodIds),
      sql`${subscriptions.endDate} > ${today}`,
    ),
  );

export const lockSubscription = async (tx: Tx, id: number) => {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for("update");
  return row ?? null;
};

export const insertSubscription = async (tx: Tx, row: typeof subscriptions.$inferInsert): Promise<number> => {
  const [inserted] = await tx.insert(subscriptions).values(row).returning({ id: subscriptions.id });
  if (!inserted) throw new Error("The insert returned no subscription");
  return inserted.id;
};

export const updateSubscription = (tx: Tx, id: number, set: Partial<typeof subscriptions.$inferInsert>) =>
  tx.update(subscriptions).set(set).where(eq(subscriptions.id, id));

// ── Renewal charges ─────────────────────────────────────────────────────────────────────────────────

/** Whether a renewal charge is pending. */
export const hasPendingCharge = async (db: Tx, subscriptionId: number): Promise<boolean> =>
  (await db.$count(
    renewalAttempts,
    and(eq(renewalAttempts.subscriptionId, subscriptionId), eq(renewalAttempts.state, "pending")),
  )) > 0;

/** The renewal attempt that created the order; null for orders that account holders opened. */
export const chargeOfOrder = async (tx: Tx, orderId: number): Promise<{ endDate: Day } | null> => {
  const [row] = await tx
    .select({ endDate: renewalAttempts.endDate })
    .from(renewalAttempts)
    .where(eq(renewalAttempts.orderId, orderId));
  return row ?? null;
};

export const markChargeSucceeded = (tx: Tx, orderId: number, now: Date) =>
  tx.update(renewalAttempts).set({ state: "succeeded", settledAt: now }).where(eq(renewalAttempts.orderId, orderId));

const selectAttempts = (db: Tx) =>
  db
    .select({
      id: renewalAttempts.id,
      subscriptionId: renewalAttempts.subscriptionId,
      orderId: renewalAttempts.orderId,
      endDate: renewalAttempts.endDate,
      idempotencyKey: renewalAttempts.idempotencyKey,
      createdAt: renewalAttempts.createdAt,
      accountId: orders.accountId,
      amountCents: orders.amountCents,
      customerId: accounts.stripeCustomerId,
      routeId: routes.id,
      routeName: routes.name,
      routeCode: routes.code,
      attemptedOn: renewalAttempts.attemptedOn,
      isRenewing,
    })
    .from(renewalAttempts)
    .innerJoin(subscriptions, eq(subscriptions.id, renewalAttempts.subscriptionId))
    .innerJoin(routes, eq(routes.id, subscriptions.routeId))
    .innerJoin(orders, eq(orders.id, renewalAttempts.orderId))
    .innerJoin(accounts, eq(accounts.id, orders.accountId));

export type RenewalAttempt = Awaited<ReturnType<typeof selectAttempts>>[number];

/** Up to `limit` attempts whose outcome is not known, oldest first, after the one with the id `after`. */
export const pendingAttempts = (db: Tx, after: number, limit: number): Promise<RenewalAttempt[]> =>
  selectAttempts(db)
    .where(and(sql`${renewalAttempts.state} = 'pending'`, gt(renewalAttempts.id, after)))
    .orderBy(asc(renewalAttempts.id))
    .limit(limit);

export const findAttempt = async (db: Tx, id: number): Promise<RenewalAttempt> => {
  const [row] = await selectAttempts(db).where(eq(renewalAttempts.id, id));
  if (!row) throw new Error(`Renewal attempt ${id} is gone`);
  return row;
};

/** The latest attempt to charge the renewal of each subscription's present end, by its id. */
export const latestAttempts = async (db: Tx, subscriptionIds: number[]): Promise<Map<number, RecordedAttempt>> => {
  const rows = await findLatestAttempts(db, subscriptionIds);
  return new Map(rows.map(({ subscriptionId, ...attempt }) => [subscriptionId, attempt]));
};

const findLatestAttempts = batchByKey(
  (db, subscriptionIds) => latestAttemptsIn(db).execute({ subscriptionIds }),
  ({ subscriptionId }) => subscriptionId,
);

const latestAttemptsIn = perDatabase((db) =>
  db
    .selectDistinctOn([renewalAttempts.subscriptionId], {
      subscriptionId: renewalAttempts.subscriptionId,
      attemptedOn: renewalAttempts.attemptedOn,
      state: renewalAttempts.state,
      declineCode: renewalAttempts.declineCode,
      createdAt: renewalAttempts.createdAt,
      settledAt: renewalAttempts.settledAt,
    })
    .from(renewalAttempts)
    .innerJoin(
      subscriptions,
      and(eq(subscriptions.id, renewalAttempts.subscriptionId), eq(subscriptions.endDate, renewalAttempts.endDate)),
    )
    .where(isOneOf(subscriptions.id, sql.placeholder("subscriptionIds")))
    .orderBy(renewalAttempts.subscriptionId, desc(renewalAttempts.id))
    .prepare("latest_attempts"),
);

/**
 * Locks the price of a renewal, in the transaction that announces it.
 *
 * @returns false when it is locked at another price already; then nothing may be announced
 */
export const lockPrice = async (tx: Tx, row: typeof renewalPriceLocks.$inferInsert): Promise<boolean> => {
  const { subscriptionId, endDate, term } = renewalPriceLocks;
  const proposed = sql`excluded.total_cents`;
  const locked = await tx
    .insert(renewalPriceLocks)
    .values(row)
    .onConflictDoUpdate({
      target: [subscriptionId, endDate, term],
      set: { totalCents: proposed },
      setWhere: eq(renewalPriceLocks.totalCents, proposed),
    })
    .returning({ subscriptionId });
  return locked.length > 0;
};

export const insertAttempt = async (tx: Tx, row: typeof renewalAttempts.$inferInsert): Promise<number> => {
  const [inserted] = await tx.insert(renewalAttempts).values(row).returning({ id: renewalAttempts.id });
  if (!inserted) throw new Error("The insert returned no attempt");
  return inserted.id;
};

/** @returns whether the attempt was still pending */
export const markDeclined = async (tx: Tx, id: number, declineCode: string, now: Date): Promise<boolean> =>
  (
    await tx
      .update(renewalAttempts)
      .set({ state: "declined", declineCode, settledAt: now })
      .where(and(eq(renewalAttempts.id, id), eq(renewalAttempts.state, "pending")))
      .returning({ id: renewalAttempts.id })
  ).length > 0;

// ── Succession and demand ───────────────────────────────────────────────────────────────────────────

export const runningInEndedPeriods = (db: Tx, today: Day) =>
  db
    .select({
      id: subscriptions.id,
      accountId: subscriptions.accountId,
      routeId: subscriptions.routeId,
      periodId: subscriptions.periodId,
    })
    .from(subscriptions)
    .innerJoin(periods, eq(periods.id, subscriptions.periodId))
    .where(and(sql`${subscriptions.endDate} > ${today}`, sql`${periods.endsOn} <= ${today}`))
    .orderBy(asc(subscriptions.id));

export const movePeriod = (tx: Tx, id: number, from: number, to: number) =>
  tx
    .update(subscriptions)
    .set({ periodId: to })
    .where(and(eq(subscriptions.id, id), eq(subscriptions.periodId, from)));

/** Every route's popularity factor, and how many subscriptions to it were active between these days. */
export const demandByRoute = (db: Tx, from: Day, to: Day) =>
  db
    .select({
      routeId: routes.id,
      percent: routes.popularityPercent,
      subscriptions: sql`count(${subscriptions.id})`.mapWith(Number),
    })
    .from(routes)
    .leftJoin(
      subscriptions,
      and(
        eq(subscriptions.routeId, routes.id),
        sql`${subscriptions.startDate} <= ${to}`,
        sql`${subscriptions.endDate} > ${from}`,
      ),
    )
    .groupBy(routes.id);
