/** Lists and revokes an account's sessions. Sessions of other accounts are not found. */

import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { notFound, unauthenticated } from "../errors.ts";
import { recordAudit } from "./audit.server.ts";
import type { Caller, SessionProof } from "./caller.ts";
import { type ExclusiveLock, endSessions, lockAccount } from "./lock.server.ts";
import { endOf, type Origin, type SessionKind } from "./lucia.server.ts";
import * as queries from "./session-queries.server.ts";

export type AccountSession = Omit<Origin, "deviceToken"> & {
  /** SHA-256 of the token. It identifies the session and grants no access. */
  id: string;
  kind: SessionKind;
  createdAt: Date;
  expiresAt: Date;
  /** Whether it is the session of this request. */
  isCurrent: boolean;
};

/** Unexpired portal and bearer sessions, the current one first, then newest first. */
export const listSessions = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller<SessionProof>,
): Promise<AccountSession[]> => {
  const now = ctx.clock.now();
  const found = await queries.listSessions(ctx.db, caller.account.id, now);
  return found
    .map(({ accountId: _, ...session }) => ({
      ...session,
      expiresAt: endOf(session, caller.account),
      isCurrent: session.id === caller.proof.sessionId,
    }))
    .filter(({ expiresAt }) => expiresAt > now)
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
};

/**
 * Revokes one session. Its token is rejected from the next request on.
 *
 * @throws not_found
 */
export const revokeSession = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller<SessionProof>,
  input: { id: string },
): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const revoked = await queries.deleteSessionOf(tx, caller.account.id, input.id);
    if (!revoked) throw notFound("Session");
    await recordAudit(tx, caller, "session.revoked", ctx.clock.now(), { kind: revoked.kind });
  });

/** Ends all sessions of the account, including the caller's. */
export const revokeAllSessions = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller<SessionProof>,
): Promise<{ endedSessions: number }> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const endedSessions = await endSessions(await lockOwn(tx, caller), now);
    await recordAudit(tx, caller, "session.all_revoked", now, { ended_sessions: endedSessions });
    return { endedSessions };
  });

/** Ends all sessions of the account except the caller's. @returns how many had not expired */
export const revokeOtherSessions = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller<SessionProof>,
): Promise<{ endedSessions: number }> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const endedSessions = await endSessions(await lockOwn(tx, caller), now, caller.proof);
    if (endedSessions > 0) {
      await recordAudit(tx, caller, "session.others_revoked", now, { ended_sessions: endedSessions });
    }
    return { endedSessions };
  });

const lockOwn = async (tx: Tx, { account }: Caller): Promise<ExclusiveLock> => {
  const locked = await lockAccount(tx, account.id);
  if (!locked) throw unauthenticated();
  return locked;
};
