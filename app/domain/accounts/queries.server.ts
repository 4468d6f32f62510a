import { and, desc, eq, gt, isNull, lt, lte, ne, sql } from "drizzle-orm";
import {
  accounts,
  auditLog,
  emailVerifications,
  knownDevices,
  passwordResets,
  signInPlaces,
} from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";
import { accountColumns } from "./account-columns.server.ts";
import type { Account } from "./caller.ts";

export const insertAccount = async (tx: Tx, row: typeof accounts.$inferInsert): Promise<Account> => {
  const [account] = await tx.insert(accounts).values(row).returning(accountColumns);
  if (!account) throw new Error("The insert returned no account");
  return account;
};

export type AccountChange = Partial<
  Pick<
    typeof accounts.$inferInsert,
    | "plan"
    | "standing"
    | "role"
    | "customHourlyLimit"
    | "customDiscountPercent"
    | "customDiscountThrough"
    | "customDiscountAgreedBy"
  >
>;

export const updateAccount = (tx: Tx, accountId: number, set: AccountChange) =>
  tx.update(accounts).set(set).where(eq(accounts.id, accountId));

export const setCustomerId = (db: Tx, accountId: number, customerId: string) =>
  db
    .update(accounts)
    .set({ stripeCustomerId: customerId })
    .where(and(eq(accounts.id, accountId), isNull(accounts.stripeCustomerId)));

export const findByEmail = async (db: Tx, email: string): Promise<Account | null> => {
  const [row] = await db.select(accountColumns).from(accounts).where(isCalled(email));
  return row ?? null;
};

const isCalled = (email: string) =>
  and(eq(sql`lower(${accounts.email})`, email.toLowerCase()), isNull(accounts.closedAt));

/** The origin of an attempt, before authentication. */
export type SeenFrom = { deviceHash: string | null; place: string; now: Date };
export type KnownBy = "device" | "place" | null;

/** Plain column names, as drizzle leaves out the table's name in a query of a single table. */
const knownBy = ({ deviceHash, place, now }: SeenFrom) =>
  sql<KnownBy>`case
    when exists (select from ${knownDevices} known where known.account_id = accounts.id
      and known.token_hash = ${deviceHash} and known.expires_at > ${now.toISOString()}::timestamptz) then 'device'
    when exists (select from ${signInPlaces} known where known.account_id = accounts.id
      and known.place = ${place} and known.is_trusted) then 'place'
    end`;

/** Everything that a sign-in attempt needs in one query, so that an unknown address takes as long. */
export const findForSignIn = async (db: Tx, email: string, from: SeenFrom) => {
  const [row] = await db
    .select({ account: accountColumns, passwordHash: accounts.passwordHash, knownBy: knownBy(from) })
    .from(accounts)
    .where(isCalled(email));
  return row ?? null;
};

export const findKnownBy = async (db: Tx, accountId: number, from: SeenFrom): Promise<KnownBy> => {
  const [row] = await db
    .select({ knownBy: knownBy(from) })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return row?.knownBy ?? null;
};

export const insertDevice = (tx: Tx, row: typeof knownDevices.$inferInsert) => tx.insert(knownDevices).values(row);

/** @returns whether the device is known to the account */
export const extendDevice = async (
  tx: Tx,
  accountId: number,
  tokenHash: string,
  now: Date,
  expiresAt: Date,
): Promise<boolean> => {
  const extended = await tx
    .update(knownDevices)
    .set({ expiresAt })
    .where(
      and(
        eq(knownDevices.accountId, accountId),
        eq(knownDevices.tokenHash, tokenHash),
        gt(knownDevices.expiresAt, now),
      ),
    )
    .returning({ accountId: knownDevices.accountId });
  return extended.length > 0;
};

export const deleteDevices = (tx: Tx, accountId: number, keptHash: string | null) =>
  tx
    .delete(knownDevices)
    .where(
      and(eq(knownDevices.accountId, accountId), keptHash === null ? undefined : ne(knownDevices.tokenHash, keptHash)),
    );

export const deleteDevicesExpiredBy = async (db: Tx, now: Date): Promise<number> =>
  (
    await db
      .delete(knownDevices)
      .where(lte(knownDevices.expiresAt, now))
      .returning({ accountId: knownDevices.accountId })
  ).length;

/** Distrusted places stay known, so that a sign-in from there does not count as new. */
export const distrustPlaces = (tx: Tx, accountId: number, keptPlace: string | null) =>
  tx
    .update(signInPlaces)
    .set({ isTrusted: false })
    .where(
      and(eq(signInPlaces.accountId, accountId), keptPlace === null ? undefined : ne(signInPlaces.place, keptPlace)),
    );

export const insertAudit = async (db: Tx, row: typeof auditLog.$inferInsert): Promise<void> => {
  await db.insert(auditLog).values(row);
};

/** Newest first, before an id. Without a limit, all of them. */
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

export const setPasswordHash = (tx: Tx, accountId: number, passwordHash: string) =>
  tx.update(accounts).set({ passwordHash }).where(eq(accounts.id, accountId));

export const insertReset = (tx: Tx, row: typeof passwordResets.$inferInsert) => tx.insert(passwordResets).values(row);

export const deleteResetsExpiredBy = (tx: Tx, accountId: number, now: Date) =>
  tx.delete(passwordResets).where(and(eq(passwordResets.accountId, accountId), lte(passwordResets.expiresAt, now)));

const isOpen = (tokenHash: string, now: Date) =>
  and(eq(passwordResets.tokenHash, tokenHash), isNull(passwordResets.usedAt), gt(passwordResets.expiresAt, now));

/** The account whose password a valid link resets. Null: the link is not valid. */
export const findOpenReset = async (db: Tx, tokenHash: string, now: Date): Promise<Account | null> => {
  const [row] = await db
    .select(accountColumns)
    .from(passwordResets)
    .innerJoin(accounts, eq(accounts.id, passwordResets.accountId))
    .where(isOpen(tokenHash, now));
  return row ?? null;
};

/** Null: the link is not valid. */
export const markResetUsed = async (tx: Tx, tokenHash: string, now: Date) => {
  const [used] = await tx
    .update(passwordResets)
    .set({ usedAt: now })
    .where(isOpen(tokenHash, now))
    .returning({ id: passwordResets.id });
  return used ?? null;
};

/** Voids all valid links of the account. */
export const voidResets = (tx: Tx, accountId: number, now: Date) =>
  tx
    .update(passwordResets)
    .set({ usedAt: now })
    .where(and(eq(passwordResets.accountId, accountId), isNull(passwordResets.usedAt)));

// ── E-mail addresses ────────────────────────────────────────────────────────────────────────────────

export const insertVerification = (tx: Tx, row: typeof emailVerifications.$inferInsert) =>
  tx.insert(emailVerifications).values(row);

/** Voids all valid links of the account. */
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

/** Voids all links that would change the address. */
export const voidEmailChanges = (tx: Tx, { id, email }: Pick<Account, "id" | "email">, now: Date) =>
  tx
    .update(emailVerifications)
    .set({ usedAt: now })
    .where(
      and(eq(emailVerifications.accountId, id), ne(emailVerifications.email, email), isNull(emailVerifications.usedAt)),
    );

/** The new address that a valid link would set. */
export const findPendingEmail = async (db: Tx, accountId: number, present: string, now: Date) => {
  const [row] = await db
    .select({ email: emailVerifications.email })
    .from(emailVerifications)
    .where(and(eq(emailVerifications.accountId, accountId), ne(emailVerifications.email, present), isUsable(now)));
  return row?.email ?? null;
};

/** Null: the link is not valid. */
export const markVerificationUsed = async (tx: Tx, tokenHash: string, now: Date) => {
  const [used] = await tx
    .update(emailVerifications)
    .set({ usedAt: now })
    .where(and(eq(emailVerifications.tokenHash, tokenHash), isUsable(now)))
    .returning({ id: emailVerifications.id, email: emailVerifications.email });
  return used ?? null;
};

/** An `OperatorCaller`'s account: suspended ones do not count, and closing an account ends the role. */
const isOperator = and(eq(accounts.role, "operator"), eq(accounts.standing, "good"));

const selectOperators = (db: Tx) =>
  db.select({ id: accounts.id }).from(accounts).where(isOperator).orderBy(accounts.id).$dynamic();

export const operatorIds = async (db: Tx): Promise<number[]> => (await selectOperators(db)).map(({ id }) => id);

export const lockOperators = async (tx: Tx): Promise<number[]> =>
  (await selectOperators(tx).for("no key update")).map(({ id }) => id);

export const setVerifiedEmail = (tx: Tx, accountId: number, email: string, now: Date) =>
  tx.update(accounts).set({ email, emailVerifiedAt: now }).where(eq(accounts.id, accountId));

/** Marks the current address as verified. @returns false if it was already */
export const proveEmail = async (tx: Tx, accountId: number, now: Date): Promise<boolean> => {
  const proven = await tx
    .update(accounts)
    .set({ emailVerifiedAt: now })
    .where(and(eq(accounts.id, accountId), isNull(accounts.emailVerifiedAt)))
    .returning({ id: accounts.id });
  return proven.length > 0;
};

/** Password resets and e-mail verifications. @returns how many */
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

// ── Places ─────────────────────────────────────────────────────────────────────────────

/** Whether the place is known, and whether the account has signed in at all before. */
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

export const countPlace = (tx: Tx, row: Omit<typeof signInPlaces.$inferInsert, "isTrusted">) =>
  tx
    .insert(signInPlaces)
    .values({ ...row, isTrusted: true })
    .onConflictDoUpdate({
      target: [signInPlaces.accountId, signInPlaces.place],
      set: { signIns: sql`${signInPlaces.signIns} + ${row.signIns}`, isTrusted: true },
    });

export const findRegistration = async (
  db: Tx,
  accountId: number,
): Promise<{ registeredAt: Date; termsVersion: Day | null }> => {
  const [row] = await db
    .select({ registeredAt: accounts.createdAt, termsVersion: accounts.termsVersion })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (!row) throw new Error("The caller's account is gone");
  return row;
};
