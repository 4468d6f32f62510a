/**
 * What an account leaves behind when it is closed: the row stays for the books, without anything that names a person.
 */
import type { Tx } from "../../platform/db.server.ts";
import * as queries from "./erasure-queries.server.ts";
import type { ExclusiveLock } from "./lock.server.ts";

/**
 * Deletes mailed links, known browsers, passkeys, the second factor and pending sign-ins. Sessions are ended by `endSessions`.
 */
export const deleteSignInCredentials = (tx: Tx, accountId: number): Promise<void> =>
  queries.deleteSignInCredentials(tx, accountId);

/** Frees the address and the username. Nobody can register the placeholders, or sign in with them. */
export const anonymizeAccount = (locked: ExclusiveLock, now: Date): Promise<void> =>
  queries.anonymize(locked.tx, locked.account.id, now);
