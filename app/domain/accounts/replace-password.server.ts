import type { Caller, SessionProof } from "./caller.ts";
import { clearKnownOrigins } from "./known-origin.server.ts";
import { type ExclusiveLock, endSessions } from "./lock.server.ts";
import type { Origin } from "./lucia.server.ts";
import * as queries from "./queries.server.ts";
import { deleteChallengesOf, deleteUnconfirmed, forgetWrongCodes } from "./two-factor-queries.server.ts";

/**
 * Replaces a password that someone else may know, and revokes what may have been done with it: links for a new password
 * or address, sign-in challenges, an unconfirmed second factor, sessions, and known devices and places.
 *
 * @param kept the session and the browser that made the change. Null: keep nothing
 * @returns how many sessions were ended
 */
export const replacePassword = async (
  locked: ExclusiveLock,
  passwordHash: string,
  now: Date,
  kept: { proof: Caller<SessionProof>["proof"]; origin: Origin } | null,
): Promise<number> => {
  const { tx, account } = locked;
  await queries.setPasswordHash(tx, account.id, passwordHash);
  await queries.voidResets(tx, account.id, now);
  await queries.voidEmailChanges(tx, account, now);
  await deleteChallengesOf(tx, account.id);
  await deleteUnconfirmed(tx, account.id);
  await forgetWrongCodes(tx, account.id, null);
  await clearKnownOrigins(locked, kept?.origin ?? null);
  return endSessions(locked, now, kept?.proof);
};
