import { and, eq, gt, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import {
  accounts,
  apiKeys,
  auditLog,
  emailVerifications,
  knownDevices,
  orders,
  outboxMessages,
  passwordResets,
  paymentMethods,
  recoveryCodes,
  renewalAttempts,
  sessions,
  signInChallenges,
  signInPlaces,
  subscriptions,
  twoFactors,
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

/** One who is suspended is none. */
const isOperator = and(eq(accounts.role, "operator"), eq(accounts.standing, "good"));

export const operatorIds = async (db: Tx): Promise<number[]> =>
  (await db.select({ id: accounts.id }).from(accounts).where(isOperator)).map(({ id }) => id);

/** Whether an order waits for its payment, or a renewal is charged with an outcome that is not known. */
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

/** Those that run end today; one that began today, tomorrow. None renews. */
export const endSubscriptions = async (tx: Tx, accountId: number, today: Day, now: Date): Promise<void> => {
  await tx.update(subscriptions).set({ autoRenew: false }).where(eq(subscriptions.accountId, accountId));
  await tx
    .update(subscriptions)
    .set({
      cancelledAt: sql`coalesce(${subscriptions.cancelledAt}, ${now.toISOString()}::timestamptz)`,
      endDate: sql`greatest(${today}::date, ${subscriptions.startDate} + 1)`,
    })
    .where(and(eq(subscriptions.accountId, accountId), gt(subscriptions.endDate, today)));
};

/** Whatever opens the account, or makes a browser known to it; its sessions apart. */
export const deleteCredentials = async (tx: Tx, accountId: number): Promise<void> => {
  await tx.delete(apiKeys).where(eq(apiKeys.accountId, accountId));
  await tx.delete(signInChallenges).where(eq(signInChallenges.accountId, accountId));
  await tx.delete(passwordResets).where(eq(passwordResets.accountId, accountId));
  await tx.delete(emailVerifications).where(eq(emailVerifications.accountId, accountId));
  await tx.delete(knownDevices).where(eq(knownDevices.accountId, accountId));
  await tx.delete(twoFactors).where(eq(twoFactors.accountId, accountId));
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId));
};

/** Neither placeholder can be registered by anybody, nor signed in with. */
export const anonymizeAccount = async (tx: Tx, accountId: number, now: Date): Promise<void> => {
  const placeholder = `closed:${accountId}`;
  await tx
    .update(accounts)
    .set({
      email: placeholder,
      username: placeholder,
      passwordHash: "closed",
      role: "holder",
      emailVerifiedAt: null,
      closedAt: now,
    })
    .where(eq(accounts.id, accountId));
  await tx.delete(signInPlaces).where(eq(signInPlaces.accountId, accountId));
  await tx.delete(outboxMessages).where(and(eq(outboxMessages.accountId, accountId), isNotNull(outboxMessages.sentAt)));
  await tx
    .update(auditLog)
    .set({ details: {} })
    .where(
      and(
        eq(auditLog.accountId, accountId),
        inArray(auditLog.action, ["session.opened", "email.changed", "email.change_requested"]),
      ),
    );
};
