import { and, eq, gt, isNull, lt, lte, sql } from "drizzle-orm";
import { accounts, passkeys, recoveryCodes, signInChallenges, twoFactors, wrongCodes } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

export type TwoFactorRow = typeof twoFactors.$inferSelect;

export const findTwoFactor = async (db: Tx, accountId: number): Promise<TwoFactorRow | null> => {
  const [row] = await db.select().from(twoFactors).where(eq(twoFactors.accountId, accountId));
  return row ?? null;
};

/** What an account can show after its password. */
export type Factors = {
  /** Since when two-factor sign-in is on. Null: it is off. */
  since: Date | null;
  hasApp: boolean;
  passkeys: number;
};

/**
 * Two-factor sign-in is on with an authenticator app, a passkey, or recovery codes, used or not: they are created when it is
 * turned on, and deleted when it is turned off. After a password reset that removed all passkeys, they are what is left.
 */
export const findFactors = async (db: Tx, accountId: number): Promise<Factors> => {
  const [row] = await db
    .select({
      appSince: sql`(select confirmed_at from ${twoFactors} where account_id = ${accountId})`.mapWith(
        twoFactors.confirmedAt,
      ),
      passkeys: sql<number>`count(${passkeys.id})::int`,
      passkeySince: sql`min(${passkeys.createdAt})`.mapWith(passkeys.createdAt),
      codesSince: sql`(select min(created_at) from ${recoveryCodes} where account_id = ${accountId})`.mapWith(
        recoveryCodes.createdAt,
      ),
    })
    .from(passkeys)
    .where(eq(passkeys.accountId, accountId));
  const { appSince = null, passkeySince = null, codesSince = null } = row ?? {};
  const since = [appSince, passkeySince].filter((date) => date !== null).sort((a, b) => a.getTime() - b.getTime())[0];
  return { since: since ?? codesSince, hasApp: appSince !== null, passkeys: row?.passkeys ?? 0 };
};

/** Whether a password alone does not sign in. */
export const isOn = async (db: Tx, accountId: number): Promise<boolean> =>
  (await findFactors(db, accountId)).since !== null;

/** Replaces an unconfirmed one. @returns false if a confirmed one exists */
export const beginTwoFactor = async (
  db: Tx,
  row: { accountId: number; sealedSecret: Uint8Array; createdAt: Date },
): Promise<boolean> => {
  const inserted = await db
    .insert(twoFactors)
    .values(row)
    .onConflictDoUpdate({ target: twoFactors.accountId, set: row, setWhere: isNull(twoFactors.confirmedAt) })
    .returning({ accountId: twoFactors.accountId });
  return inserted.length > 0;
};

/** @returns false if it was confirmed or restarted meanwhile */
export const confirmTwoFactor = async (tx: Tx, pending: TwoFactorRow, step: number, now: Date): Promise<boolean> => {
  const confirmed = await tx
    .update(twoFactors)
    .set({ confirmedAt: now, lastStep: step })
    .where(
      and(
        eq(twoFactors.accountId, pending.accountId),
        isNull(twoFactors.confirmedAt),
        eq(twoFactors.sealedSecret, pending.sealedSecret),
      ),
    )
    .returning({ accountId: twoFactors.accountId });
  return confirmed.length > 0;
};

/** @returns false if a code of this or a later step was used; of two concurrent calls, one gets true */
export const advanceStep = async (tx: Tx, accountId: number, step: number): Promise<boolean> => {
  const advanced = await tx
    .update(twoFactors)
    .set({ lastStep: step })
    .where(and(eq(twoFactors.accountId, accountId), lt(twoFactors.lastStep, step)))
    .returning({ accountId: twoFactors.accountId });
  return advanced.length > 0;
};

/** An unconfirmed second factor. Whoever started it knows the secret. */
export const deleteUnconfirmed = (tx: Tx, accountId: number) =>
  tx.delete(twoFactors).where(and(eq(twoFactors.accountId, accountId), isNull(twoFactors.confirmedAt)));

/** Deletes the authenticator app only. @returns whether there was one */
export const deleteApp = async (tx: Tx, accountId: number): Promise<boolean> => {
  const [deleted] = await tx
    .delete(twoFactors)
    .where(eq(twoFactors.accountId, accountId))
    .returning({ confirmedAt: twoFactors.confirmedAt });
  return deleted?.confirmedAt != null;
};

/** Deletes every factor, the recovery codes and challenges. @returns whether two-factor sign-in was on */
export const deleteTwoFactor = async (tx: Tx, accountId: number): Promise<boolean> => {
  const wasOn = await isOn(tx, accountId);
  await deleteApp(tx, accountId);
  await tx.delete(passkeys).where(eq(passkeys.accountId, accountId));
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId));
  await deleteChallengesOf(tx, accountId);
  return wasOn;
};

/** Counts a code before it is compared. @returns how many there are, or null during a pause */
export const countWrongCode = async (tx: Tx, accountId: number, origin: string, now: Date): Promise<number | null> => {
  const [counted] = await tx
    .insert(wrongCodes)
    .values({ accountId, origin, count: 1, lastAt: now })
    .onConflictDoUpdate({
      target: [wrongCodes.accountId, wrongCodes.origin],
      set: { count: sql`${wrongCodes.count} + 1`, lastAt: now },
      setWhere: sql`${wrongCodes.pausedUntil} is null or ${lte(wrongCodes.pausedUntil, now)}`,
    })
    .returning({ count: wrongCodes.count });
  return counted?.count ?? null;
};

export const pauseCodes = (tx: Tx, accountId: number, origin: string, pausedUntil: Date) =>
  tx
    .update(wrongCodes)
    .set({ pausedUntil })
    .where(and(eq(wrongCodes.accountId, accountId), eq(wrongCodes.origin, origin)));

export const findCodePause = async (tx: Tx, accountId: number, origin: string): Promise<Date | null> => {
  const [row] = await tx
    .select({ pausedUntil: wrongCodes.pausedUntil })
    .from(wrongCodes)
    .where(and(eq(wrongCodes.accountId, accountId), eq(wrongCodes.origin, origin)));
  return row?.pausedUntil ?? null;
};

/** @param origin null: of all origins */
export const forgetWrongCodes = (tx: Tx, accountId: number, origin: string | null) =>
  tx
    .delete(wrongCodes)
    .where(and(eq(wrongCodes.accountId, accountId), origin === null ? undefined : eq(wrongCodes.origin, origin)));

export const deleteWrongCodesBefore = (db: Tx, before: Date) =>
  db.delete(wrongCodes).where(lt(wrongCodes.lastAt, before));

export const replaceRecoveryCodes = async (
  tx: Tx,
  accountId: number,
  codeHashes: string[],
  createdAt: Date,
): Promise<void> => {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.accountId, accountId));
  await tx.insert(recoveryCodes).values(codeHashes.map((codeHash) => ({ accountId, codeHash, createdAt })));
};

/** @returns its id, or null if the account has no such unused code; of two concurrent calls, one gets the id */
export const markRecoveryCodeUsed = async (
  tx: Tx,
  accountId: number,
  codeHash: string,
  now: Date,
): Promise<number | null> => {
  const [used] = await tx
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(
      and(eq(recoveryCodes.accountId, accountId), eq(recoveryCodes.codeHash, codeHash), isNull(recoveryCodes.usedAt)),
    )
    .returning({ id: recoveryCodes.id });
  return used?.id ?? null;
};

export const countRecoveryCodes = (db: Tx, accountId: number): Promise<number> =>
  db.$count(recoveryCodes, and(eq(recoveryCodes.accountId, accountId), isNull(recoveryCodes.usedAt)));

export const insertChallenge = (tx: Tx, row: typeof signInChallenges.$inferInsert) =>
  tx.insert(signInChallenges).values(row);

export const findChallenge = async (
  db: Tx,
  tokenHash: string,
  now: Date,
): Promise<{ accountId: number; email: string } | null> => {
  const [row] = await db
    .select({ accountId: accounts.id, email: accounts.email })
    .from(signInChallenges)
    .innerJoin(accounts, eq(accounts.id, signInChallenges.accountId))
    .where(and(eq(signInChallenges.tokenHash, tokenHash), gt(signInChallenges.expiresAt, now)));
  return row ?? null;
};

/** @returns whether it existed; of two concurrent calls, one gets true */
export const deleteChallenge = async (tx: Tx, tokenHash: string): Promise<boolean> =>
  (
    await tx
      .delete(signInChallenges)
      .where(eq(signInChallenges.tokenHash, tokenHash))
      .returning({ accountId: signInChallenges.accountId })
  ).length > 0;

export const deleteChallengesOf = (tx: Tx, accountId: number) =>
  tx.delete(signInChallenges).where(eq(signInChallenges.accountId, accountId));

export const deleteChallengesExpiredBy = async (db: Tx, now: Date): Promise<number> =>
  (
    await db
      .delete(signInChallenges)
      .where(lte(signInChallenges.expiresAt, now))
      .returning({ tokenHash: signInChallenges.tokenHash })
  ).length;
