import { and, eq, gt, isNull, or } from "drizzle-orm";
import { apiKeys, orders, renewalAttempts, sessions, subscriptions } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";

export const countEnding = async (db: Tx, accountId: number, today: Day, now: Date) => {
  const [running, keys, signedIn] = await Promise.all([
    db.$count(subscriptions, and(eq(subscriptions.accountId, accountId), gt(subscriptions.endDate, today))),
    db.$count(apiKeys, eq(apiKeys.accountId, accountId)),
    db.$count(sessions, and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, now))),
  ]);
  return { subscriptions: running, apiKeys: keys, sessions: signedIn };
};

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
