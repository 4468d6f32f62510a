import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import { paidTerms, routes, subscriptions } from "../../../drizzle/schema.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";
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
