/**
 * One order of locks, so that nobody waits in a circle: operators' rows by id, then the account's row, then whatever
 * belongs to the account (its links, sessions, keys, cards, orders, payments, subscriptions).
 *
 * Accounts are locked `for no key update`: as nobody changes their ids, rows that refer to an account, the log's for
 * example, may be written meanwhile, in any order. Sign-ins lock `for share`, so that they do not wait for each other.
 */
import type { Tx } from "../../platform/db.server.ts";
import * as queries from "./queries.server.ts";
import {
  deleteSessions,
  type ExclusiveLock,
  lockExclusive,
  lockExclusiveByEmail,
  lockExclusiveUnchanged,
} from "./session-queries.server.ts";

export type { ExclusiveLock } from "./session-queries.server.ts";

/** Before anything of the account is changed or locked, until the transaction ends. Null: there is none. */
export const lockAccount = (tx: Tx, accountId: number): Promise<ExclusiveLock | null> => lockExclusive(tx, accountId);

/** The same by e-mail address, in any case. */
export const lockAccountByEmail = (tx: Tx, email: string): Promise<ExclusiveLock | null> =>
  lockExclusiveByEmail(tx, email);

/**
 * The same for work that began with a check of the password. Null when the account is closed, or its password was changed
 * since: a request that was let in before must not act after.
 */
export const lockUnchanged = (tx: Tx, accountId: number, passwordHash: string): Promise<ExclusiveLock | null> =>
  lockExclusiveUnchanged(tx, accountId, passwordHash);

/** All of them, by id: of two who leave at once, the second sees that the first has. One who is suspended is none. */
export const lockOperators = (tx: Tx): Promise<number[]> => queries.lockOperators(tx);

/**
 * Ends the account's sessions. One that is being opened or refreshed at the same time is ended as well, or is not opened:
 * that is what the lock is for.
 *
 * @param kept.sessionId the one that goes on
 * @returns how many of those that ended still ran
 */
export const endSessions = (locked: ExclusiveLock, now: Date, kept?: { sessionId: string }): Promise<number> =>
  deleteSessions(locked, now, kept?.sessionId ?? null);
