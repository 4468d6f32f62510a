/**
 * Opens, recognises and closes sessions. The kind decides the lifetime, and whether the token works in the portal or
 * API.
 */
import type { Context } from "../context.ts";
import { unauthenticated } from "../errors.ts";
import type { Account, Caller, SessionProof } from "./caller.ts";
import { rememberDevice } from "./known-origin.server.ts";
import {
  createSession,
  deleteExpired,
  hashToken,
  type Origin,
  type SessionKind,
  type SessionWorld,
  validSession,
} from "./lucia.server.ts";
import * as queries from "./session-queries.server.ts";

export type OpenSession = {
  token: string;
  expiresAt: Date;
  account: Account;
  /** For the device cookie that makes the browser known. Null for bearer tokens, as API clients keep no cookies. */
  deviceToken: string | null;
};

/**
 * Opens a session without a password, for an account that has just been registered.
 *
 * @throws unauthenticated when the account is closed
 * @spec Authentication (absolute for a bearer; sliding in the portal, up to a limit)
 */
export const openSession = async (
  ctx: SessionWorld & Pick<Context, "random">,
  { id }: Pick<Account, "id">,
  kind: SessionKind,
  origin: Origin,
): Promise<OpenSession> =>
  ctx.db.transaction(async (tx) => {
    const lock = await queries.lockShared(tx, id);
    if (!lock) throw unauthenticated();
    return openLocked(ctx, lock, kind, origin);
  });

/** The same in a transaction that has authenticated the account under the lock. */
export const openLocked = async (
  ctx: Pick<Context, "clock" | "random">,
  lock: queries.SharedLock,
  kind: SessionKind,
  origin: Origin,
): Promise<OpenSession> => ({
  ...(await createSession(lock, ctx.clock, kind, origin)),
  account: lock.account,
  deviceToken: kind === "portal" ? await rememberDevice(ctx, lock, origin) : null,
});

/** The holder of a token. Null if it is unknown, expired or revoked. */
export const recognise = async (
  ctx: SessionWorld,
  token: string,
  kind: SessionKind,
): Promise<Caller<SessionProof> | null> => {
  if (!/^[a-z0-9]{40}$/.test(token)) return null;
  const found = await validSession(ctx, token, kind);
  return (
    found && {
      account: found.account,
      proof: { scheme: kind, sessionId: hashToken(token), authenticatedAt: found.createdAt },
    }
  );
};

export const closeSession = async (ctx: SessionWorld, caller: Caller<SessionProof>): Promise<void> => {
  await queries.deleteSession(ctx.db, caller.proof.sessionId);
};

/** Deletes expired sessions of both kinds. */
export const deleteExpiredSessions = (ctx: SessionWorld): Promise<void> => deleteExpired(ctx);

/**
 * Exchanges a valid bearer token for a new one and revokes the old one.
 *
 * @throws unauthenticated when the token has been revoked or refreshed meanwhile
 */
export const refresh = async (
  ctx: Pick<Context, "db" | "clock" | "random">,
  caller: Caller<SessionProof>,
  origin: Origin,
): Promise<OpenSession> =>
  ctx.db.transaction(async (tx) => {
    const lock = await queries.lockShared(tx, caller.account.id);
    if (!lock || !(await queries.deleteSession(tx, caller.proof.sessionId))) throw unauthenticated();
    return openLocked(ctx, lock, "bearer", origin);
  });
