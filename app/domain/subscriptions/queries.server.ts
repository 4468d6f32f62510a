import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import {
  accounts,
  orderLines,
  orders,
  paidTerms,
  payments,
  renewalAttempts,
  routes,
  subscriptions,
} from "../../../drizzle/schema.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";
import type { Term } from "../pricing/discounts.ts";
import type { PaidDays } from "../pricing/proration.ts";
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

/** Those of these routes, whatever their status. */
export const ofRoutes = (db: Tx, accountId: number, routeIds: number[]): Promise<SubscriptionRow[]> =>
  selectSubscriptions(db).where(and(eq(subscriptions.accountId, accountId), inArray(subscriptions.routeId, routeIds)));

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

/** Before the account's subscriptions and orders are locked, always: so that nobody waits in a circle. */
export const lockAccount = (tx: Tx, accountId: number) =>
  tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for("update");

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

export const insertPaidTerm = (tx: Tx, row: typeof paidTerms.$inferInsert) => tx.insert(paidTerms).values(row);

/** The subscriptions that these order lines paid for. */
export const idsPaidBy = async (db: Tx, orderLineIds: number[]): Promise<number[]> => {
  const rows = await db
    .select({ id: paidTerms.subscriptionId })
    .from(paidTerms)
    .where(inArray(paidTerms.orderLineId, orderLineIds));
  return [...new Set(rows.map(({ id }) => id))];
};

/**
 * What was given for the days that a subscription still has, less refunds. A change of term takes the place of all terms
 * before it, whose unused days it was credited with.
 */
export const paidTermsInForce = async (db: Tx, subscriptionId: number): Promise<PaidDays[]> => {
  const rows = await db
    .select({
      startDate: paidTerms.startDate,
      endDate: paidTerms.endDate,
      kind: orders.kind,
      valueCents: sql`greatest(0, ${orderLines.totalCents} + ${orderLines.creditCents}
        - coalesce(round(${payments.refundedCents}::numeric * ${orderLines.totalCents} / nullif(${payments.amountCents}, 0)), 0))`.mapWith(
        Number,
      ),
    })
    .from(paidTerms)
    .innerJoin(orderLines, eq(orderLines.id, paidTerms.orderLineId))
    .innerJoin(orders, eq(orders.id, orderLines.orderId))
    .leftJoin(payments, eq(payments.orderId, orders.id))
    .where(eq(paidTerms.subscriptionId, subscriptionId))
    .orderBy(asc(paidTerms.id));
  return rows.slice(
    Math.max(
      0,
      rows.findLastIndex(({ kind }) => kind === "term_change"),
    ),
  );
};

/** The terms of a subscription that were paid after this order was opened. */
export const termsPaidSince = async (db: Tx, subscriptionId: number, orderId: number): Promise<Term[]> => {
  const rows = await db
    .select({ term: paidTerms.term })
    .from(paidTerms)
    .innerJoin(orderLines, eq(orderLines.id, paidTerms.orderLineId))
    .innerJoin(orders, eq(orders.id, orderLines.orderId))
    .where(
      and(
        eq(paidTerms.subscriptionId, subscriptionId),
        sql`${orders.id} <> ${orderId}`,
        sql`${orders.paidAt} > (select created_at from orders where id = ${orderId})`,
      ),
    );
  return rows.map(({ term }) => term);
};

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
