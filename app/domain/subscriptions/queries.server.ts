import { and, asc, between, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import {
  accounts,
  orderLines,
  orders,
  paidTerms,
  payments,
  periods,
  renewalAttempts,
  routes,
  subscriptions,
} from "#drizzle/schema/index.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";
import type { BoughtTerm } from "./paid-days.ts";
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

/** Newest first. */
export const listOf = (db: Tx, accountId: number): Promise<SubscriptionRow[]> =>
  selectSubscriptions(db).where(eq(subscriptions.accountId, accountId)).orderBy(desc(subscriptions.id));

export const findByIds = (db: Tx, ids: number[]): Promise<SubscriptionRow[]> =>
  selectSubscriptions(db).where(inArray(subscriptions.id, ids)).orderBy(asc(subscriptions.id));

/**
 * The routes that exist, with their versions, once for each of the account's subscriptions to them, whatever its status:
 * one query for all requests that wait.
 */
export const findHeld = (db: Tx, asked: { accountId: number; routeId: number }[]) =>
  held(db).execute({
    accountIds: asked.map(({ accountId }) => accountId),
    routeIds: asked.map(({ routeId }) => routeId),
  });

const held = perDatabase((db) =>
  db
    .select({
      accountId: sql`asked.account_id`.mapWith(subscriptions.accountId),
      routeId: routes.id,
      version: routes.version,
      updatedAt: routes.updatedAt,
      subscription: {
        periodId: subscriptions.periodId,
        endDate: subscriptions.endDate,
        cancelledAt: subscriptions.cancelledAt,
      },
    })
    .from(
      sql`unnest(${sql.placeholder("accountIds")}::integer[], ${sql.placeholder("routeIds")}::integer[]) asked (account_id, route_id)`,
    )
    .innerJoin(routes, sql`${routes.id} = asked.route_id`)
    .leftJoin(
      subscriptions,
      sql`${subscriptions.accountId} = asked.account_id and ${subscriptions.routeId} = asked.route_id`,
    )
    .prepare("held"),
);

export const runningRouteIds = async (db: Tx, accountId: number, today: Day): Promise<number[]> => {
  const rows = await db
    .selectDistinct({ routeId: subscriptions.routeId })
    .from(subscriptions)
    .where(and(eq(subscriptions.accountId, accountId), sql`${subscriptions.endDate} > ${today}`));
  return rows.map(({ routeId }) => routeId);
};

/** The one that runs, if any, locked until the transaction ends. */
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

/** The id of the account's running subscription to a period, if any. */
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

/** What was paid for an account's subscription, oldest first. */
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

/** The subscriptions that an order has made or extended. */
export const idsPaidByOrder = async (db: Tx, orderId: number): Promise<number[]> => {
  const rows = await db
    .selectDistinct({ id: paidTerms.subscriptionId })
    .from(paidTerms)
    .innerJoin(orderLines, eq(orderLines.id, paidTerms.orderLineId))
    .where(eq(orderLines.orderId, orderId));
  return rows.map(({ id }) => id);
};

/** Every term that was paid for a subscription, in the order of payment. */
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

/** Whether a charge is under way whose outcome is not known. */
export const hasPendingCharge = async (db: Tx, subscriptionId: number): Promise<boolean> =>
  (await db.$count(
    renewalAttempts,
    and(eq(renewalAttempts.subscriptionId, subscriptionId), eq(renewalAttempts.state, "pending")),
  )) > 0;

/** The renewal charge that an order stands for; null for orders that account holders open. */
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
      /** Whether the account still wants it, and may. */
      wanted:
        sql`${subscriptions.autoRenew} and ${subscriptions.cancelledAt} is null and ${accounts.standing} = 'good'`.mapWith(
          Boolean,
        ),
    })
    .from(renewalAttempts)
    .innerJoin(subscriptions, eq(subscriptions.id, renewalAttempts.subscriptionId))
    .innerJoin(routes, eq(routes.id, subscriptions.routeId))
    .innerJoin(orders, eq(orders.id, renewalAttempts.orderId))
    .innerJoin(accounts, eq(accounts.id, orders.accountId));

export type RenewalAttempt = Awaited<ReturnType<typeof selectAttempts>>[number];

/** Charges whose outcome is not known, oldest first. */
export const pendingAttempts = (db: Tx): Promise<RenewalAttempt[]> =>
  selectAttempts(db).where(eq(renewalAttempts.state, "pending")).orderBy(asc(renewalAttempts.id));

export const findAttempt = async (db: Tx, id: number): Promise<RenewalAttempt> => {
  const [row] = await selectAttempts(db).where(eq(renewalAttempts.id, id));
  if (!row) throw new Error(`Renewal attempt ${id} is gone`);
  return row;
};

export const insertAttempt = async (tx: Tx, row: typeof renewalAttempts.$inferInsert): Promise<number> => {
  const [inserted] = await tx.insert(renewalAttempts).values(row).returning({ id: renewalAttempts.id });
  if (!inserted) throw new Error("The insert returned no attempt");
  return inserted.id;
};

/** @returns whether it was open */
export const markDeclined = async (tx: Tx, id: number, declineCode: string, now: Date): Promise<boolean> =>
  (
    await tx
      .update(renewalAttempts)
      .set({ state: "declined", declineCode, settledAt: now })
      .where(and(eq(renewalAttempts.id, id), eq(renewalAttempts.state, "pending")))
      .returning({ id: renewalAttempts.id })
  ).length > 0;

// ── What time makes due ─────────────────────────────────────────────────────────────────────────────

const chargeIsOpen =
  sql`exists (select from ${renewalAttempts} where ${renewalAttempts.subscriptionId} = ${subscriptions.id}
  and ${renewalAttempts.state} = 'pending')`.mapWith(Boolean);

const selectWithAccount = (db: Tx) =>
  db
    .select({
      subscriptionId: subscriptions.id,
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
      account: {
        id: accounts.id,
        standing: accounts.standing,
        customDiscountPercent: accounts.customDiscountPercent,
      },
    })
    .from(subscriptions)
    .innerJoin(routes, eq(routes.id, subscriptions.routeId))
    .innerJoin(accounts, eq(accounts.id, subscriptions.accountId));

export type DueSubscription = Awaited<ReturnType<typeof selectWithAccount>>[number];

/** Both days included, soonest first. */
export const endingBetween = (db: Tx, first: Day, last: Day): Promise<DueSubscription[]> =>
  selectWithAccount(db)
    .where(between(subscriptions.endDate, first, last))
    .orderBy(asc(subscriptions.endDate), asc(subscriptions.id));

/** Renewing by themselves, ending after today and by `last`, not yet charged, and not yet tried today. */
export const dueForRenewal = (db: Tx, today: Day, last: Day): Promise<DueSubscription[]> =>
  selectWithAccount(db)
    .where(and(isDue(today), sql`${subscriptions.endDate} <= ${last}`))
    .orderBy(asc(subscriptions.endDate), asc(subscriptions.id));

/** Whether that is still so, with the same end; the account is locked. */
export const isDueForRenewal = async (tx: Tx, due: DueSubscription, today: Day): Promise<boolean> => {
  const rows = await selectWithAccount(tx).where(
    and(isDue(today), eq(subscriptions.id, due.subscriptionId), eq(subscriptions.endDate, due.endDate)),
  );
  return rows.length > 0;
};

const isDue = (today: Day) =>
  and(
    sql`${subscriptions.endDate} > ${today}`,
    eq(subscriptions.autoRenew, true),
    isNull(subscriptions.cancelledAt),
    eq(accounts.standing, "good"),
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

/** Every route's price factor, and how many subscriptions to it were active between the days. */
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
