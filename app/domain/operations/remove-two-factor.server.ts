import { recordOperatorAudit } from "../accounts/audit.server.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import { endSessions, lockAccount } from "../accounts/lock.server.ts";
import { removeTwoFactor } from "../accounts/two-factor.server.ts";
import type { Context } from "../context.ts";
import { conflict, notFound } from "../errors.ts";
import { twoFactorRemoved } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";

/**
 * Turns off the second factor of a holder who has lost phone and recovery codes, so that the password alone signs in.
 * Ends all sessions, as the phone may be in the wrong hands, and notifies the account holder by e-mail. API keys keep working.
 *
 * @throws not_found
 * @throws conflict when the account is closed or the operator's own, or has no second factor
 */
export const removeHoldersTwoFactor = async (
  ctx: Pick<Context, "db" | "clock" | "settings">,
  operator: OperatorCaller,
  { accountId, reason }: { accountId: number; reason: string },
): Promise<{ endedSessions: number }> => {
  if (accountId === operator.account.id) {
    throw conflict("Turn off your own two-factor sign-in in your account settings, or ask another operator");
  }
  return ctx.db.transaction(async (tx) => {
    const locked = await lockAccount(tx, accountId);
    if (!locked) throw notFound("Account");
    if (locked.closedAt !== null) throw conflict("The account holder has closed the account");
    if (!(await removeTwoFactor(tx, accountId))) throw conflict("Two-factor sign-in is off");
    const now = ctx.clock.now();
    const endedSessions = await endSessions(locked, now);
    const details = { ended_sessions: endedSessions, reason };
    await recordOperatorAudit(tx, operator, accountId, "two_factor.removed", now, details);
    const dedupeKey = `two-factor-removed:${accountId}:${now.getTime()}`;
    await enqueue(tx, { ...twoFactorRemoved(ctx.settings.appUrl, { reason }), dedupeKey, accountId }, now);
    return { endedSessions };
  });
};
