/** Opening, recognising and closing sessions. The kind decides the lifetime, and which door the token opens. */

import type { Context } from "../context.ts";
import { unauthenticated } from "../errors.ts";
import type { Account, Caller, SessionProof } from "./caller.ts";
import { hashToken, type Origin, ourTime, type SessionKind, type SessionWorld, sessionsOf } from "./lucia.server.ts";
import * as queries from "./queries.server.ts";

export type OpenSession = { token: string; expiresAt: Date; account: Account };
/** @spec Authentication (24 hours for a bearer; 30 days sliding in the portal) */
export const openSession = async (
  ctx: SessionWorld,
  account: Account,
  kind: SessionKind,
  origin: Origin,
): Promise<OpenSession> => {
  const sessions = sessionsOf(ctx, kind);
  const session = await sessions.createSession(account.id, {
    ...origin,
    userAgent: origin.userAgent?.slice(0, 300) ?? null,
  });
  return { token: session.id, expiresAt: ourTime(ctx, session.expiresAt), account };
};

/** Who holds this token; null when nobody does (any more). */
export const recognise = async (
  ctx: SessionWorld,
  token: string,
  kind: SessionKind,
): Promise<Caller<SessionProof> | null> => {
  if (!/^[a-z0-9]{40}$/.test(token)) return null;
  const { user } = await sessionsOf(ctx, kind).validateSession(token);
  return user && { account: user.account, proof: { scheme: kind, sessionId: hashToken(token) } };
};

export const closeSession = async (ctx: SessionWorld, caller: Caller<SessionProof>): Promise<void> => {
  await queries.deleteSession(ctx.db, caller.proof.sessionId);
};

/** Forgets the sessions that have run out, of either kind; nobody is recognised by them any more. */
export const forgetEndedSessions = (ctx: SessionWorld): Promise<void> =>
  sessionsOf(ctx, "portal").deleteExpiredSessions();

/**
 * A fresh bearer for a running one, which is revoked.
 *
 * @throws unauthenticated when the token was used up by another refresh meanwhile
 */
export const refresh = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller<SessionProof>,
  origin: Origin,
): Promise<OpenSession> =>
  ctx.db.transaction(async (tx) => {
    if (!(await queries.deleteSession(tx, caller.proof.sessionId))) throw unauthenticated();
    return openSession({ db: tx, clock: ctx.clock }, caller.account, "bearer", origin);
  });
