import { and, asc, eq, isNull, lt, lte, sql } from "drizzle-orm";
import { accounts, passkeys, spentPasskeyChallenges } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

export type PasskeyRow = typeof passkeys.$inferSelect;

/** Oldest first. */
export const listPasskeys = (db: Tx, accountId: number): Promise<PasskeyRow[]> =>
  db.select().from(passkeys).where(eq(passkeys.accountId, accountId)).orderBy(asc(passkeys.id));

/** Of an open account. */
export const findPasskey = async (db: Tx, credentialId: string): Promise<PasskeyRow | null> => {
  const [row] = await db
    .select({ passkey: passkeys })
    .from(passkeys)
    .innerJoin(accounts, eq(accounts.id, passkeys.accountId))
    .where(and(eq(passkeys.credentialId, credentialId), isNull(accounts.closedAt)));
  return row?.passkey ?? null;
};

/** @returns its id, or null if an account has this passkey already */
export const insertPasskey = async (tx: Tx, row: typeof passkeys.$inferInsert): Promise<number | null> => {
  const [inserted] = await tx
    .insert(passkeys)
    .values(row)
    .onConflictDoNothing({ target: passkeys.credentialId })
    .returning({ id: passkeys.id });
  return inserted?.id ?? null;
};

/** @returns false if the passkey was removed, or if its count did not rise; of two concurrent calls, one gets true */
export const markPasskeyUsed = async (
  tx: Tx,
  id: number,
  { signCount, isSynced, now }: { signCount: number; isSynced: boolean; now: Date },
): Promise<boolean> => {
  const hasRisen = signCount === 0 ? eq(passkeys.signCount, 0) : lt(passkeys.signCount, sql`${signCount}::bigint`);
  const used = await tx
    .update(passkeys)
    .set({ signCount, isSynced, lastUsedAt: now })
    .where(and(eq(passkeys.id, id), hasRisen))
    .returning({ id: passkeys.id });
  return used.length > 0;
};

export const hasPasskey = async (tx: Tx, id: number): Promise<boolean> =>
  (await tx.$count(passkeys, eq(passkeys.id, id))) > 0;

/** Null: the account has no such passkey. */
export const renamePasskey = async (
  tx: Tx,
  accountId: number,
  id: number,
  name: string,
): Promise<{ name: string } | null> => {
  const [renamed] = await tx
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.accountId, accountId), eq(passkeys.id, id)))
    .returning({ name: passkeys.name });
  return renamed ?? null;
};

/** Null: the account has no such passkey. */
export const deletePasskey = async (tx: Tx, accountId: number, id: number): Promise<{ name: string } | null> => {
  const [deleted] = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.accountId, accountId), eq(passkeys.id, id)))
    .returning({ name: passkeys.name });
  return deleted ?? null;
};

/** @returns how many there were */
export const deletePasskeysOf = async (tx: Tx, accountId: number): Promise<number> =>
  (await tx.delete(passkeys).where(eq(passkeys.accountId, accountId)).returning({ id: passkeys.id })).length;

export const countPasskeys = (db: Tx, accountId: number): Promise<number> =>
  db.$count(passkeys, eq(passkeys.accountId, accountId));

/** @returns false if it was spent before; of two concurrent calls, one gets true */
export const spendChallenge = async (tx: Tx, challengeHash: string, expiresAt: Date): Promise<boolean> => {
  const spent = await tx
    .insert(spentPasskeyChallenges)
    .values({ challengeHash, expiresAt })
    .onConflictDoNothing()
    .returning({ challengeHash: spentPasskeyChallenges.challengeHash });
  return spent.length > 0;
};

export const deleteChallengesSpentBefore = async (db: Tx, now: Date): Promise<number> =>
  (
    await db
      .delete(spentPasskeyChallenges)
      .where(lte(spentPasskeyChallenges.expiresAt, now))
      .returning({ challengeHash: spentPasskeyChallenges.challengeHash })
  ).length;
