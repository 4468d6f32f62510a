import { and, asc, between, desc, eq, inArray, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import {
  accounts,
  orderLines,
  orders,
  paidTerms,
  payments,
  periods,
  renewalAttempts,
  renewalPriceLocks,
  routeGroups,
  routes,
  subscriptions,
  tradeLanes,
} from "#drizzle/schema/index.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { isStaleAt } from "../catalogue/freshness-columns.server.ts";
import type { Day } from "../dates.ts";
import type { Term } from "../pricing/discounts.ts";
import type { QuoteLine } from "../pricing/quote.ts";
import type { BoughtTerm } from "./paid-days.ts";
import type { LatestAttempt } from "./renewal.ts";
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

/** Routes with a running subscription. */
export const runningRouteIds = async (db: Tx, accountId: number, today: Day): Promise<number[]> => {
  const rows = await db
    .selectDistinct({ routeId: subscriptions.routeId })
    .from(subscriptions)
    .where(and(eq(subscriptions.accountId, accountId), sql`${subscriptions.endDate} > ${today}`));
  return rows.map(({ routeId }) => routeId);
};

/** Newest first. */
export const listOf = (db: Tx, accountId: number): Promise<SubscriptionRow[]> =>
  selectSubscriptions(db).where(eq(subscriptions.accountId, accountId)).orderBy(desc(subscriptions.id));

export const findByIds = (db: Tx, ids: number[]): Promise<SubscriptionRow[]> =>
  selectSubscriptions(db).where(inArray(subscriptions.id, ids)).orderBy(asc(subscriptions.id));

/**
 * The version of each route that exists, one row per subscription of the account to it, in any status. One query answers
 * all lookups that are waiting.
 */
export const findHeld = (db: Tx, wanted: { accountId: number; routeId: number }[], now: Date) =>
  held(db).execute({
    now: now.toISOString(),
    accountIds: wanted.map(({ accountId }) => accountId),
    routeIds: wanted.map(({ routeId }) => routeId),
  });

const held = perDatabase((db) =>
  db
    .select({
      accountId: sql`wanted.account_id`.mapWith(subscriptions.accountId),
      routeId: routes.id,
      version: routes.version,
      updatedAt: routes.updatedAt,
      stalePeriodIds: sql<number[]>`array(select ${periods.id} from ${periods}
        join ${routeGroups} on ${routeGroups.id} = ${routes.routeGroupId}
        join ${tradeLanes} on ${tradeLanes.id} = ${routeGroups.tradeLaneId}
        where ${periods.routeId} = ${routes.id} and ${isStaleAt(sql.placeholder("now"))} order by ${periods.id})`,
      subscription: {
        periodId: subscriptions.periodId,
        endDate: subscriptions.endDate,
        cancelledAt: subscriptions.cancelledAt,
      },
    })
    .from(
      sql`unnest(${sql.placeholder("accountIds")}::integer[], ${sql.placeholder("routeIds")}::integer[]) wanted (account_id, route_id)`,
    )
    .innerJoin(routes, sql`${routes.id} = wanted.route_id`)
    .leftJoin(
      subscriptions,
      sql`${subscriptions.accountId} = wanted.account_id and ${subscriptions.routeId} = wanted.route_id`,
    )
    .prepare("held"),
);

/** The distinct routes of each account's running subscriptions. */
export const runningRoutes = (
  db: Tx,
  accountIds: number[],
  today: Day,
): Promise<{ accountId: number; routeId: number }[]> =>
  db
    .selectDistinct({ accountId: subscriptions.accountId, routeId: subscriptions.routeId })
    .from(subscriptions)
    .where(and(isOneOf(subscriptions.accountId, accountIds), sql`${subscriptions.endDate} > ${today}`));

/** Passes all ids as one array parameter: PostgreSQL limits the number of parameters. */
const isOneOf = (column: PgColumn, ids: number[]) => sql`${column} = any(${sql.param(ids)}::int[])`;

/** The running subscription to the period, if any, locked until the transaction ends. */
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

/** The id of the account's running subscription to the period, if any. */
export const runningOf = async (db: Tx, accountId: number, periodId: number, today: Day): Promise<number | null> => {
  const [row] = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.accountId, accountId),
        eq(subscriptions.periodId, periodId),
        sql`${subscriptions.endDate} > ${today}`,
      ),
    );
  return row?.id ?? null;
};

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

/** The terms paid for one of the account's subscriptions, oldest first. */
export const paidTermsOf = (db: Tx, accountId: number, subscriptionId: number) =>
  db
    .select({
      id: paidTerms.id,
      term: paidTerms.term,
      startDate: paidTerms.startDate,
      endDate: paidTerms.endDate,
      totalCents: paidTerms.totalCents,
    })
    .from(paidTerms)
    .innerJoin(subscriptions, eq(subscriptions.id, paidTerms.subscriptionId))
    .where(and(eq(subscriptions.accountId, accountId), eq(paidTerms.subscriptionId, subscriptionId)))
    .orderBy(asc(paidTerms.startDate), asc(paidTerms.id));

export const insertPaidTerm = (tx: Tx, row: typeof paidTerms.$inferInsert) => tx.insert(paidTerms).values(row);

/** The subscriptions that an order created or extended. */
export const idsPaidByOrder = async (db: Tx, orderId: number): Promise<number[]> => {
  const rows = await db
    .selectDistinct({ id: paidTerms.subscriptionId })
    .from(paidTerms)
    .innerJoin(orderLines, eq(orderLines.id, paidTerms.orderLineId))
    .where(eq(orderLines.orderId, orderId));
  return rows.map(({ id }) => id);
};

/** All terms paid for a subscription, in the order of payment. */
export const boughtTerms = (db: Tx, subscriptionId: number): Promise<BoughtTerm[]> =>
  db
    .select({
      id: paidTerms.id,
      term: paidTerms.term,
      startDate: paidTerms.startDate,
      endDate: paidTerms.endDate,
      paidCents: sql`greatest(0, ${orderLines.totalCents} - coalesce(
        round(${payments.refundedCents}::numeric * ${orderLines.totalCents} / nullif(${payments.amountCents}, 0)), 0))`.mapWith(
        Number,
      ),
      creditedThroughTermId: orderLines.creditedThroughTermId,
    })
    .from(paidTerms)
    .innerJoin(orderLines, eq(orderLines.id, paidTerms.orderLineId))
    .leftJoin(payments, eq(payments.orderId, orderLines.orderId))
    .where(eq(paidTerms.subscriptionId, subscriptionId))
    .orderBy(asc(paidTerms.id));

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

/** Attempts whose outcome is not known, oldest first. */
export const pendingAttempts = (db: Tx): Promise<RenewalAttempt[]> =>
  selectAttempts(db).where(eq(renewalAttempts.state, "pending")).orderBy(asc(renewalAttempts.id));

export const findAttempt = async (db: Tx, id: number): Promise<RenewalAttempt> => {
  const [row] = await selectAttempts(db).where(eq(renewalAttempts.id, id));
  if (!row) throw new Error(`Renewal attempt ${id} is gone`);
  return row;
};

/** The latest attempt to charge the renewal of each subscription's present end, by its id. */
export const latestAttempts = async (db: Tx, subscriptionIds: number[]): Promise<Map<number, LatestAttempt>> => {
  const rows = await db
    .selectDistinctOn([renewalAttempts.subscriptionId], {
      subscriptionId: renewalAttempts.subscriptionId,
      attemptedOn: renewalAttempts.attemptedOn,
      state: renewalAttempts.state,
    })
    .from(renewalAttempts)
    .innerJoin(
      subscriptions,
      and(eq(subscriptions.id, renewalAttempts.subscriptionId), eq(subscriptions.endDate, renewalAttempts.endDate)),
    )
    .where(isOneOf(subscriptions.id, subscriptionIds))
    .orderBy(renewalAttempts.subscriptionId, desc(renewalAttempts.id));
  return new Map(rows.map(({ subscriptionId, ...attempt }) => [subscriptionId, attempt]));
};

type LockedPrice = Omit<QuoteLine, "periodId" | "routeId" | "term" | "months">;

/** The announced prices of renewals that move the present end of these subscriptions, while they run. */
export const priceLocks = async (
  db: Tx,
  subscriptionIds: number[],
  today: Day,
): Promise<{ subscriptionId: number; term: Term; price: LockedPrice }[]> =>
  db
    .select({
      subscriptionId: renewalPriceLocks.subscriptionId,
      term: renewalPriceLocks.term,
      price: {
        monthlyCents: renewalPriceLocks.monthlyCents,
        listCents: renewalPriceLocks.listCents,
        termDiscountPercent: renewalPriceLocks.termDiscountPercent,
        volumeDiscountPercent: renewalPriceLocks.volumeDiscountPercent,
        volumeDiscountReason: renewalPriceLocks.volumeDiscountReason,
        discountCents: renewalPriceLocks.discountCents,
        totalCents: renewalPriceLocks.totalCents,
      },
    })
    .from(renewalPriceLocks)
    .innerJoin(
      subscriptions,
      and(eq(subscriptions.id, renewalPriceLocks.subscriptionId), eq(subscriptions.endDate, renewalPriceLocks.endDate)),
    )
    .where(and(isOneOf(subscriptions.id, subscriptionIds), sql`${subscriptions.endDate} > ${today}`));

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

// ── Due work ────────────────────────────────────────────────────────────────────────────────────────

const chargeIsOpen =
  sql`exists (select from ${renewalAttempts} where ${renewalAttempts.subscriptionId} = ${subscriptions.id}
  and ${renewalAttempts.state} = 'pending')`.mapWith(Boolean);

const selectEnding = (db: Tx) =>
  db
    .select({
      id: subscriptions.id,
      accountId: subscriptions.accountId,
      routeId: subscriptions.routeId,
      periodId: subscriptions.periodId,
      endDate: subscriptions.endDate,
      renewalTerm: subscriptions.renewalTerm,
      autoRenew: subscriptions.autoRenew,
      cancelledAt: subscriptions.cancelledAt,
      routeName: routes.name,
      routeCode: routes.code,
      chargeIsOpen,
      standing: accounts.standing,
    })
    .from(subscriptions)
    .innerJoin(routes, eq(routes.id, subscriptions.routeId))
    .innerJoin(accounts, eq(accounts.id, subscriptions.accountId));

export type EndingSubscription = Awaited<ReturnType<typeof selectEnding>>[number];

/** Subscriptions that end between these days, both included, soonest first. */
export const endingBetween = (db: Tx, first: Day, last: Day): Promise<EndingSubscription[]> =>
  selectEnding(db)
    .where(between(subscriptions.endDate, first, last))
    .orderBy(asc(subscriptions.endDate), asc(subscriptions.id));

/** Subscriptions to charge today: renewing, ending after today and by `last`, neither charged nor attempted today. */
export const dueForRenewal = (db: Tx, today: Day, last: Day): Promise<EndingSubscription[]> =>
  selectEnding(db)
    .where(and(isDue(today), sql`${subscriptions.endDate} <= ${last}`))
    .orderBy(asc(subscriptions.endDate), asc(subscriptions.id));

/** Whether the subscription is still due, with the same end and term. The caller has locked the account. */
export const isDueForRenewal = async (tx: Tx, due: EndingSubscription, today: Day): Promise<boolean> => {
  const rows = await selectEnding(tx).where(
    and(
      isDue(today),
      eq(subscriptions.id, due.id),
      eq(subscriptions.endDate, due.endDate),
      eq(subscriptions.renewalTerm, due.renewalTerm),
    ),
  );
  return rows.length > 0;
};

const isDue = (today: Day) =>
  and(
    sql`${subscriptions.endDate} > ${today}`,
    isRenewing,
    sql`not exists (select from ${renewalAttempts} where ${renewalAttempts.subscriptionId} = ${subscriptions.id}
      and ${renewalAttempts.endDate} = ${subscriptions.endDate}
      and (${renewalAttempts.state} in ('pending', 'succeeded') or ${renewalAttempts.attemptedOn} >= ${today}))`,
  );

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
