import { recordOperatorsAct } from "../accounts/audit.server.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import * as queries from "./account-queries.server.ts";

/**
 * Ends every session of an account, in the portal and by bearer token. API keys go on.
 *
 * @throws not_found
 */
export const signOutEverywhere = async (
  ctx: Pick<Context, "db" | "clock">,
  operator: OperatorCaller,
  input: { accountId: number },
): Promise<{ endedSessions: number }> =>
  ctx.db.transaction(async (tx) => {
    const account = await queries.lockAccount(tx, input.accountId);
    if (!account) throw notFound("Account");
    const now = ctx.clock.now();
    const endedSessions = await queries.deleteSessions(tx, account.id, now);
    await recordOperatorsAct(tx, operator, account.id, "session.all_revoked", now, { ended_sessions: endedSessions });
    return { endedSessions };
  });
