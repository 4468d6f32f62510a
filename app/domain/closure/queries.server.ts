import { and, eq, gt, isNull, or } from "drizzle-orm";
import {
  accounts,
  apiKeys,
  orders,
  paymentMethods,
  renewalAttempts,
  sessions,
  subscriptions,
} from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";

export const countWhatEnds = async (db: Tx, accountId: number, today: Day, now: Date) => {
  const [running, keys, signedIn, cards] = await Promise.all([
    db.$count(subscriptions, and(eq(subscriptions.accountId, accountId), gt(subscriptions.endDate, today))),
    db.$count(apiKeys, eq(apiKeys.accountId, accountId)),
    db.$count(sessions, and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, now))),
    db.$count(paymentMethods, eq(paymentMethods.accountId, accountId)),
  ]);
  return { subscriptions: running, apiKeys: keys, sessions: signedIn, cards };
};

/** Suspended operators do not count. */
const isOperator = and(eq(accounts.role, "operator"), eq(accounts.standing, "good"));

export const operatorIds = async (db: Tx): Promise<number[]> =>
  (await db.select({ id: accounts.id }).from(accounts).where(isOperator)).map(({ id }) => id);

/** Whether an order is open, or the outcome of a renewal charge is unknown. */
export const isPaying = async (db: Tx, accountId: number): Promise<boolean> => {
  const rows = await db
    .select({ id: orders.id })
    .from(orders)
    .leftJoin(renewalAttempts, eq(renewalAttempts.orderId, orders.id))
    .where(
      and(
        eq(orders.accountId, accountId),
        eq(orders.status, "pending"),
        or(isNull(renewalAttempts.id), eq(renewalAttempts.state, "pending")),
      ),
    )
    .limit(1);
  return rows.length > 0;
};
