/** Opening, recognising and closing sessions. The kind decides the lifetime, and which door the token opens. */
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
  /** Makes the browser known, for its device cookie. Null for bearers: programs keep no cookies. */
  deviceToken: string | null;
};

/**
 * For an account that has just proved who it is without a password: by being registered.
 *
 * @throws unauthenticated when the account is closed
 * @spec Authentication (24 hours for a bearer; 30 days sliding in the portal)
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

/** The same in a transaction that has checked, under the lock, that the account may be entered. */
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

/** Who holds this token; null when nobody does (any more). */
export const recognise = async (
  ctx: SessionWorld,
  token: string,
  kind: SessionKind,
): Promise<Caller<SessionProof> | null> => {
  if (!/^[a-z0-9]{40}$/.test(token)) return null;
  const found = await validSession(ctx, token, kind);
  return found && { account: found.account, proof: { scheme: kind, sessionId: hashToken(token) } };
};

export const closeSession = async (ctx: SessionWorld, caller: Caller<SessionProof>): Promise<void> => {
  await queries.deleteSession(ctx.db, caller.proof.sessionId);
};

/** Forgets the sessions that have run out, of either kind; nobody is recognised by them any more. */
export const deleteExpiredSessions = (ctx: SessionWorld): Promise<void> => deleteExpired(ctx);

/**
 * A fresh bearer for a running one, which is revoked.
 *
 * @throws unauthenticated when the token was revoked, or used up by another refresh, meanwhile
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
