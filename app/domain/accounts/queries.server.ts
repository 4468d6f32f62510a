import { and, desc, eq, gt, isNull, lt, lte, ne, sql } from "drizzle-orm";
import {
  accounts,
  auditLog,
  emailVerifications,
  passwordResets,
  sessions,
  signInPlaces,
} from "../../../drizzle/schema.ts";
import type { Tx } from "../../platform/db.server.ts";
import { accountColumns } from "./account-columns.server.ts";
import type { Account } from "./caller.ts";

export const insertAccount = async (tx: Tx, row: typeof accounts.$inferInsert): Promise<Account> => {
  const [account] = await tx.insert(accounts).values(row).returning(accountColumns);
  if (!account) throw new Error("The insert returned no account");
  return account;
};

export const findByEmail = async (db: Tx, email: string): Promise<(Account & { passwordHash: string }) | null> => {
  const [row] = await db
    .select({ ...accountColumns, passwordHash: accounts.passwordHash })
    .from(accounts)
    .where(and(eq(sql`lower(${accounts.email})`, email.toLowerCase()), isNull(accounts.closedAt)));
  return row ?? null;
};

export const insertSession = (db: Tx, row: typeof sessions.$inferInsert) => db.insert(sessions).values(row);

export const findSession = async (db: Tx, id: string, kind: "portal" | "bearer", now: Date) => {
  const [row] = await db
    .select({ session: sessions, account: accountColumns })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(eq(sessions.id, id), eq(sessions.kind, kind), gt(sessions.expiresAt, now), isNull(accounts.closedAt)));
  return row ?? null;
};

/** Those that still run, newest first. */
export const listSessions = (db: Tx, accountId: number, now: Date) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.createdAt), desc(sessions.id));

export const moveSessionExpiry = (db: Tx, id: string, expiresAt: Date) =>
  db.update(sessions).set({ expiresAt }).where(eq(sessions.id, id));

export const deleteSession = async (db: Tx, id: string): Promise<boolean> =>
  (await db.delete(sessions).where(eq(sessions.id, id)).returning({ id: sessions.id })).length > 0;

export const deleteSessionsOf = (db: Tx, accountId: number) =>
  db.delete(sessions).where(eq(sessions.accountId, accountId));

/** Null: the account has no such session. */
export const deleteSessionOf = async (db: Tx, accountId: number, id: string) => {
  const [deleted] = await db
    .delete(sessions)
    .where(and(eq(sessions.accountId, accountId), eq(sessions.id, id)))
    .returning({ kind: sessions.kind });
  return deleted ?? null;
};

/** All of the account but this one. @returns how many of them still ran */
export const deleteOtherSessions = async (db: Tx, accountId: number, keptId: string, now: Date): Promise<number> => {
  const deleted = await db
    .delete(sessions)
    .where(and(eq(sessions.accountId, accountId), ne(sessions.id, keptId)))
    .returning({ expiresAt: sessions.expiresAt });
  return deleted.filter(({ expiresAt }) => expiresAt > now).length;
};

export const deleteSessionsExpiredBy = (db: Tx, now: Date) => db.delete(sessions).where(lte(sessions.expiresAt, now));

export const insertAudit = async (db: Tx, row: typeof auditLog.$inferInsert): Promise<void> => {
  await db.insert(auditLog).values(row);
};

/** Newest first, those before an id; without a limit all of them. */
export const listAudit = (
  db: Tx,
  accountId: number,
  { before, limit }: { before: number | null; limit: number | null },
) =>
  db
    .select({
      id: auditLog.id,
      actorAccountId: auditLog.actorAccountId,
      action: auditLog.action,
      details: auditLog.details,
      occurredAt: auditLog.occurredAt,
    })
    .from(auditLog)
    .where(and(eq(auditLog.accountId, accountId), before === null ? undefined : lt(auditLog.id, before)))
    .orderBy(desc(auditLog.id))
    .limit(limit ?? 2 ** 31 - 1);

export const findPasswordHash = async (db: Tx, accountId: number): Promise<string> => {
  const [row] = await db
    .select({ passwordHash: accounts.passwordHash })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (!row) throw new Error("The caller's account is gone");
  return row.passwordHash;
};

/** @returns false when the password was changed from another one meanwhile */
export const replacePasswordHash = async (tx: Tx, accountId: number, from: string, to: string): Promise<boolean> => {
  const changed = await tx
    .update(accounts)
    .set({ passwordHash: to })
    .where(and(eq(accounts.id, accountId), eq(accounts.passwordHash, from)))
    .returning({ id: accounts.id });
  return changed.length > 0;
};

export const setPasswordHash = (tx: Tx, accountId: number, passwordHash: string) =>
  tx.update(accounts).set({ passwordHash }).where(eq(accounts.id, accountId));

export const insertReset = (tx: Tx, row: typeof passwordResets.$inferInsert) => tx.insert(passwordResets).values(row);

export const deleteResetsExpiredBy = (tx: Tx, accountId: number, now: Date) =>
  tx.delete(passwordResets).where(and(eq(passwordResets.accountId, accountId), lte(passwordResets.expiresAt, now)));

const isOpen = (tokenHash: string, now: Date) =>
  and(eq(passwordResets.tokenHash, tokenHash), isNull(passwordResets.usedAt), gt(passwordResets.expiresAt, now));

export const findOpenReset = async (db: Tx, tokenHash: string, now: Date): Promise<{ accountId: number } | null> => {
  const [row] = await db
    .select({ accountId: passwordResets.accountId })
    .from(passwordResets)
    .where(isOpen(tokenHash, now));
  return row ?? null;
};

/** Null: nobody may use it (any more). */
export const spendReset = async (tx: Tx, tokenHash: string, now: Date) => {
  const [used] = await tx
    .update(passwordResets)
    .set({ usedAt: now })
    .where(isOpen(tokenHash, now))
    .returning({ id: passwordResets.id });
  return used ?? null;
};

/** Every link of the account that could still be used. */
export const voidResets = (tx: Tx, accountId: number, now: Date) =>
  tx
    .update(passwordResets)
    .set({ usedAt: now })
    .where(and(eq(passwordResets.accountId, accountId), isNull(passwordResets.usedAt)));

// ── E-mail addresses ────────────────────────────────────────────────────────────────────────────────

export const insertVerification = (tx: Tx, row: typeof emailVerifications.$inferInsert) =>
  tx.insert(emailVerifications).values(row);

/** Every link of the account that could still be used. */
export const voidVerifications = (tx: Tx, accountId: number, now: Date) =>
  tx
    .update(emailVerifications)
    .set({ usedAt: now })
    .where(and(eq(emailVerifications.accountId, accountId), isNull(emailVerifications.usedAt)));

const isUsable = (now: Date) => and(isNull(emailVerifications.usedAt), gt(emailVerifications.expiresAt, now));

export const findOpenVerification = async (db: Tx, tokenHash: string, now: Date) => {
  const [row] = await db
    .select({ accountId: accounts.id, email: emailVerifications.email, present: accounts.email })
    .from(emailVerifications)
    .innerJoin(accounts, eq(accounts.id, emailVerifications.accountId))
    .where(and(eq(emailVerifications.tokenHash, tokenHash), isUsable(now)));
  return row ?? null;
};

/** The address, other than the present one, that a usable link would set. */
export const findPendingEmail = async (db: Tx, accountId: number, present: string, now: Date) => {
  const [row] = await db
    .select({ email: emailVerifications.email })
    .from(emailVerifications)
    .where(and(eq(emailVerifications.accountId, accountId), ne(emailVerifications.email, present), isUsable(now)));
  return row?.email ?? null;
};

/** Null: nobody may use it (any more). */
export const spendVerification = async (tx: Tx, tokenHash: string, now: Date) => {
  const [used] = await tx
    .update(emailVerifications)
    .set({ usedAt: now })
    .where(and(eq(emailVerifications.tokenHash, tokenHash), isUsable(now)))
    .returning({ id: emailVerifications.id, email: emailVerifications.email });
  return used ?? null;
};

export const lockAccount = async (tx: Tx, accountId: number): Promise<Account | null> => {
  const [row] = await tx.select(accountColumns).from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  return row ?? null;
};

export const lockOperators = async (tx: Tx): Promise<number[]> => {
  const rows = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.role, "operator"), eq(accounts.standing, "good")))
    .orderBy(accounts.id)
    .for("no key update");
  return rows.map(({ id }) => id);
};

/** As long as this lasts, nobody changes the account. Null: it is closed. */
export const lockShared = async (tx: Tx, accountId: number): Promise<Account | null> => {
  const [row] = await tx
    .select(accountColumns)
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNull(accounts.closedAt)))
    .for("share");
  return row ?? null;
};

/** The same, if the password is still the one that was checked. */
export const lockUnchanged = async (tx: Tx, accountId: number, passwordHash: string): Promise<boolean> => {
  const rows = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), eq(accounts.passwordHash, passwordHash), isNull(accounts.closedAt)))
    .for("share");
  return rows.length > 0;
};

export const setVerifiedEmail = (tx: Tx, accountId: number, email: string, now: Date) =>
  tx.update(accounts).set({ email, emailVerifiedAt: now }).where(eq(accounts.id, accountId));

/** The present address, unless that has been done before. */
export const proveEmail = (tx: Tx, accountId: number, now: Date) =>
  tx
    .update(accounts)
    .set({ emailVerifiedAt: now })
    .where(and(eq(accounts.id, accountId), isNull(accounts.emailVerifiedAt)));

/** That set a password or prove an address. @returns how many */
export const deleteLinksExpiredBy = async (db: Tx, now: Date): Promise<number> => {
  const resets = await db
    .delete(passwordResets)
    .where(lte(passwordResets.expiresAt, now))
    .returning({ id: passwordResets.id });
  const verifications = await db
    .delete(emailVerifications)
    .where(lte(emailVerifications.expiresAt, now))
    .returning({ id: emailVerifications.id });
  return resets.length + verifications.length;
};

// ── Sessions and places ─────────────────────────────────────────────────────────────────────────────

/** @returns how many of them still ran */
export const deleteAllSessions = async (db: Tx, accountId: number, now: Date): Promise<number> => {
  const deleted = await db
    .delete(sessions)
    .where(eq(sessions.accountId, accountId))
    .returning({ expiresAt: sessions.expiresAt });
  return deleted.filter(({ expiresAt }) => expiresAt > now).length;
};

/** What is known about a place before this sign-in: the place itself, and whether there was any sign-in at all. */
export const knownPlace = async (db: Tx, accountId: number, place: string) => {
  const [row] = await db
    .select({
      isKnown: sql<boolean>`coalesce(bool_or(${signInPlaces.place} = ${place}), false)`,
      hasSignedIn: sql<boolean>`coalesce(bool_or(${signInPlaces.signIns} > 0), false)`,
    })
    .from(signInPlaces)
    .where(eq(signInPlaces.accountId, accountId));
  return row ?? { isKnown: false, hasSignedIn: false };
};

export const countPlace = (tx: Tx, row: typeof signInPlaces.$inferInsert) =>
  tx
    .insert(signInPlaces)
    .values(row)
    .onConflictDoUpdate({
      target: [signInPlaces.accountId, signInPlaces.place],
      set: { signIns: sql`${signInPlaces.signIns} + ${row.signIns}` },
    });

export const findRegistration = async (db: Tx, accountId: number): Promise<Date> => {
  const [row] = await db.select({ createdAt: accounts.createdAt }).from(accounts).where(eq(accounts.id, accountId));
  if (!row) throw new Error("The caller's account is gone");
  return row.createdAt;
};
