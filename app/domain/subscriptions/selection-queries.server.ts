import { and, eq, inArray, sql } from "drizzle-orm";
import { renewalAttempts, subscriptions } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";

/** The account's active subscriptions, by the period of each. */
export const runningByPeriod = async (db: Tx, accountId: number, today: Day): Promise<Map<number, number>> => {
  const rows = await db
    .select({ periodId: subscriptions.periodId, id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.accountId, accountId), sql`${subscriptions.endDate} > ${today}`));
  return new Map(rows.map(({ periodId, id }) => [periodId, id]));
};

/** Those of the subscriptions with a pending renewal charge. */
export const withPendingCharge = async (db: Tx, subscriptionIds: number[]): Promise<Set<number>> => {
  const rows = await db
    .select({ id: renewalAttempts.subscriptionId })
    .from(renewalAttempts)
    .where(and(inArray(renewalAttempts.subscriptionId, subscriptionIds), eq(renewalAttempts.state, "pending")));
  return new Set(rows.map(({ id }) => id));
};
