/**
 * The lock order, which prevents deadlocks: operators' rows by id, then the account's row, then what belongs to the
 * account (its links, sessions, keys, cards, orders, payments, subscriptions).
 *
 * Accounts are locked `for no key update`, so that rows with a foreign key to the account, such as log entries, can be
 * inserted meanwhile. Sign-ins lock `for share`, so that they do not wait for each other.
 */
import type { Tx } from "../../platform/db.server.ts";
import {
  deleteSessions,
  type ExclusiveLock,
  lockExclusive,
  lockExclusiveByEmail,
  lockExclusiveUnchanged,
} from "./session-queries.server.ts";

export type { ExclusiveLock } from "./session-queries.server.ts";

/**
 * Take it before changing or locking anything of the account. Held until the transaction ends. Null: no such account.
 */
export const lockAccount = (tx: Tx, accountId: number): Promise<ExclusiveLock | null> => lockExclusive(tx, accountId);

/** The same by e-mail address, case-insensitive. */
export const lockAccountByEmail = (tx: Tx, email: string): Promise<ExclusiveLock | null> =>
  lockExclusiveByEmail(tx, email);

/**
 * The same after a check of the password. Null if the account is closed, or if the password has changed since, so that
 * a request authorised by the old password cannot act any more.
 */
export const lockUnchanged = (tx: Tx, accountId: number, passwordHash: string): Promise<ExclusiveLock | null> =>
  lockExclusiveUnchanged(tx, accountId, passwordHash);

/**
 * Ends the account's sessions. Thanks to the lock, a session that is being opened or refreshed at the same time is
 * ended too, or is not opened.
 *
 * @param kept.sessionId the session to keep
 * @returns how many unexpired sessions were ended
 */
export const endSessions = (locked: ExclusiveLock, now: Date, kept?: { sessionId: string }): Promise<number> =>
  deleteSessions(locked, now, kept?.sessionId ?? null);
