import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import { accounts, outboxMessages } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

export type OutboxMessage = typeof outboxMessages.$inferSelect;

/** Null if the account is closed: nothing is sent to it any more. */
export const findAddress = async (db: Tx, accountId: number): Promise<string | null> => {
  const [row] = await db
    .select({ email: accounts.email })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNull(accounts.closedAt)));
  return row?.email ?? null;
};

/** @returns false when a message with this dedupe key exists already */
export const insertMessage = async (tx: Tx, row: typeof outboxMessages.$inferInsert): Promise<boolean> =>
  (
    await tx
      .insert(outboxMessages)
      .values(row)
      .onConflictDoNothing({ target: outboxMessages.dedupeKey })
      .returning({ id: outboxMessages.id })
  ).length > 0;

/** The given keys for which a message exists. */
export const existingKeys = async (db: Tx, dedupeKeys: string[]): Promise<Set<string>> => {
  if (dedupeKeys.length === 0) return new Set();
  const rows = await db
    .select({ key: outboxMessages.dedupeKey })
    .from(outboxMessages)
    // One array parameter: PostgreSQL limits the number of parameters.
    .where(sql`${outboxMessages.dedupeKey} = any(${sql.param(dedupeKeys)}::text[])`);
  return new Set(rows.map(({ key }) => key));
};

const isWaiting = and(isNull(outboxMessages.sentAt), isNull(outboxMessages.givenUpAt));

/** A message that has not been tried is due at once. One from the future was written by a process whose clock was ahead. */
const isFromFuture = (now: Date) => and(eq(outboxMessages.tries, 0), gt(outboxMessages.createdAt, now));

/** Claims up to `limit` due messages for this process until `claimedUntil`. */
export const claimDue = async (db: Tx, now: Date, claimedUntil: Date, limit: number) =>
  db.transaction(async (tx) => {
    const due = await tx
      .select({ id: outboxMessages.id })
      .from(outboxMessages)
      .where(and(isWaiting, or(lte(outboxMessages.dueAt, now), isFromFuture(now))))
      .orderBy(asc(outboxMessages.dueAt), asc(outboxMessages.id))
      .limit(limit)
      .for("update", { skipLocked: true });
    if (due.length === 0) return [];
    return tx
      .update(outboxMessages)
      .set({ dueAt: claimedUntil, tries: sql`${outboxMessages.tries} + 1` })
      .where(
        inArray(
          outboxMessages.id,
          due.map(({ id }) => id),
        ),
      )
      .returning();
  });

/** Releases claimed messages, which makes them due again. */
export const releaseClaims = (db: Tx, ids: number[], dueAt: Date) =>
  db
    .update(outboxMessages)
    .set({ dueAt, tries: sql`${outboxMessages.tries} - 1` })
    .where(and(isWaiting, inArray(outboxMessages.id, ids)));

/** @param forget whether to erase its text */
export const markSent = (db: Tx, id: number, sentAt: Date, { forget }: { forget: boolean }) =>
  db
    .update(outboxMessages)
    .set({ sentAt, lastError: null, ...(forget ? { text: "", html: "" } : {}) })
    .where(eq(outboxMessages.id, id));

export const markFailed = (db: Tx, id: number, failure: { dueAt: Date; lastError: string; givenUpAt: Date | null }) =>
  db.update(outboxMessages).set(failure).where(eq(outboxMessages.id, id));

export const countUnsent = (db: Tx, writtenBefore: Date): Promise<number> =>
  db.$count(outboxMessages, and(isWaiting, lt(outboxMessages.createdAt, writtenBefore)));

/** Newest first. */
export const listMessages = (db: Tx, limit: number) =>
  db.select().from(outboxMessages).orderBy(desc(outboxMessages.id)).limit(limit);

export const findHtml = async (db: Tx, id: number) => {
  const [row] = await db
    .select({ html: outboxMessages.html, holdsSecret: outboxMessages.holdsSecret })
    .from(outboxMessages)
    .where(eq(outboxMessages.id, id));
  return row ?? null;
};

/** Makes a waiting or given-up message due now and resets its tries. Null: there is no such message. */
export const makeDue = async (tx: Tx, id: number, now: Date) => {
  const [row] = await tx
    .update(outboxMessages)
    .set({ dueAt: now, givenUpAt: null, tries: 0 })
    .where(and(eq(outboxMessages.id, id), isNull(outboxMessages.sentAt)))
    .returning({ accountId: outboxMessages.accountId });
  return row ?? null;
};

/** Null: no such message waits. */
export const giveUp = async (tx: Tx, id: number, now: Date) => {
  const [row] = await tx
    .update(outboxMessages)
    .set({ givenUpAt: now })
    .where(and(eq(outboxMessages.id, id), isWaiting))
    .returning({ accountId: outboxMessages.accountId });
  return row ?? null;
};

export const deleteSent = (tx: Tx, accountId: number) =>
  tx.delete(outboxMessages).where(and(eq(outboxMessages.accountId, accountId), isNotNull(outboxMessages.sentAt)));
