/**
 * The queries of sessions, and the locks under which sessions are opened and ended. Opening one requires a `for share`
 * lock on the account's row, ending all of them a `for no key update` lock. So a session is either ended with the
 * others, or opened only afterwards. The types enforce it: only the functions below create a lock.
 */
import { and, desc, eq, gt, isNull, lte, ne, type SQL, sql } from "drizzle-orm";
import { accounts, sessions } from "#drizzle/schema/index.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { accountColumns } from "./account-columns.server.ts";
import type { Account } from "./caller.ts";

declare const strength: unique symbol;
type AccountLock<Strength> = {
  /** The transaction that holds the lock. */
  readonly tx: Tx;
  /** The account as read under the lock. */
  readonly account: Account;
  readonly closedAt: Date | null;
  readonly [strength]: Strength;
};

/** Allows opening sessions: nobody can change the account or end its sessions meanwhile. */
export type SharedLock = AccountLock<"shared">;
/** Allows ending sessions: nobody else can change the account or open a session meanwhile. */
export type ExclusiveLock = AccountLock<"exclusive">;

const lock = async <Strength>(
  tx: Tx,
  condition: SQL | undefined,
  mode: "share" | "no key update",
): Promise<AccountLock<Strength> | null> => {
  const columns = { account: accountColumns, closedAt: accounts.closedAt };
  const [row] = await tx.select(columns).from(accounts).where(condition).for(mode);
  return row ? ({ tx, ...row } as AccountLock<Strength>) : null;
};

const isOpen = (accountId: number) => and(eq(accounts.id, accountId), isNull(accounts.closedAt));
const isUnchanged = (accountId: number, passwordHash: string) =>
  and(isOpen(accountId), eq(accounts.passwordHash, passwordHash));

/** Null: no such account, or it is closed. */
export const lockShared = (tx: Tx, accountId: number) => lock<"shared">(tx, isOpen(accountId), "share");

/** Null also if the password has changed since it was checked. */
export const lockSharedUnchanged = (tx: Tx, accountId: number, passwordHash: string) =>
  lock<"shared">(tx, isUnchanged(accountId, passwordHash), "share");

/** Null: no such account. Closed accounts are locked too. */
export const lockExclusive = (tx: Tx, accountId: number) =>
  lock<"exclusive">(tx, eq(accounts.id, accountId), "no key update");

/** The same by e-mail address, case-insensitive. */
export const lockExclusiveByEmail = (tx: Tx, email: string) =>
  lock<"exclusive">(tx, eq(sql`lower(${accounts.email})`, email.toLowerCase()), "no key update");

/** Null if the account is closed, or if the password has changed since it was checked. */
export const lockExclusiveUnchanged = (tx: Tx, accountId: number, passwordHash: string) =>
  lock<"exclusive">(tx, isUnchanged(accountId, passwordHash), "no key update");

export const insertSession = async (
  { tx, account }: SharedLock,
  row: Omit<typeof sessions.$inferInsert, "accountId">,
): Promise<void> => {
  await tx.insert(sessions).values({ ...row, accountId: account.id });
};

/** All sessions of the account, or all but one. @returns how many had not expired */
export const deleteSessions = async (
  { tx, account }: ExclusiveLock,
  now: Date,
  keptId: string | null,
): Promise<number> => {
  const deleted = await tx
    .delete(sessions)
    .where(and(eq(sessions.accountId, account.id), keptId === null ? undefined : ne(sessions.id, keptId)))
    .returning({ expiresAt: sessions.expiresAt });
  return deleted.filter(({ expiresAt }) => expiresAt > now).length;
};

/** The sessions of either kind with these ids, expired or not, of open accounts: one query for all waiting requests. */
export const findSessions = (db: Tx, ids: string[]) => sessionsOfOpenAccounts(db).execute({ ids });

const sessionsOfOpenAccounts = perDatabase((db) =>
  db
    .select({ session: sessions, account: accountColumns })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(sql`${sessions.id} = any(${sql.placeholder("ids")}::text[])`, isNull(accounts.closedAt)))
    .prepare("sessions_of_open_accounts"),
);

/** Unexpired sessions, newest first. */
export const listSessions = (db: Tx, accountId: number, now: Date) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.accountId, accountId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.createdAt), desc(sessions.id));

export const isSessionOpen = async (db: Tx, id: string): Promise<boolean> =>
  (await db.$count(sessions, eq(sessions.id, id))) > 0;

/** @returns false if the session has been deleted meanwhile */
export const moveSessionExpiry = async (db: Tx, id: string, expiresAt: Date): Promise<boolean> =>
  (await db.update(sessions).set({ expiresAt }).where(eq(sessions.id, id)).returning({ id: sessions.id })).length > 0;

/** @returns whether it existed; of two concurrent calls, one gets true */
export const deleteSession = async (db: Tx, id: string): Promise<boolean> =>
  (await db.delete(sessions).where(eq(sessions.id, id)).returning({ id: sessions.id })).length > 0;

/** Null: the account has no such session. */
export const deleteSessionOf = async (db: Tx, accountId: number, id: string) => {
  const [deleted] = await db
    .delete(sessions)
    .where(and(eq(sessions.accountId, accountId), eq(sessions.id, id)))
    .returning({ kind: sessions.kind });
  return deleted ?? null;
};

export const deleteSessionsExpiredBy = (db: Tx, now: Date) => db.delete(sessions).where(lte(sessions.expiresAt, now));
