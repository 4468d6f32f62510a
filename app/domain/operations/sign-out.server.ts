import { recordOperatorAudit } from "../accounts/audit.server.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import { endSessions, lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";

/**
 * Ends all sessions of an account, portal and bearer. API keys keep working.
 *
 * @throws not_found
 */
export const signOutEverywhere = async (
  ctx: Pick<Context, "db" | "clock">,
  operator: OperatorCaller,
  input: { accountId: number },
): Promise<{ endedSessions: number }> =>
  ctx.db.transaction(async (tx) => {
    const locked = await lockAccount(tx, input.accountId);
    if (!locked) throw notFound("Account");
    const now = ctx.clock.now();
    const endedSessions = await endSessions(locked, now);
    await recordOperatorAudit(tx, operator, input.accountId, "session.all_revoked", now, {
      ended_sessions: endedSessions,
    });
    return { endedSessions };
  });
