import type { Context } from "../context.ts";
import { conflict, invalid } from "../errors.ts";
import { passwordChanged } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { recordAudit } from "./audit.server.ts";
import type { Caller, SessionProof } from "./caller.ts";
import type { PasswordChange } from "./credentials.ts";
import { checkPassword } from "./current-password.server.ts";
import { lockUnchanged } from "./lock.server.ts";
import type { Origin } from "./lucia.server.ts";
import { hashPassword } from "./password.server.ts";
import { refuseGuessable } from "./password-strength.server.ts";
import { replacePassword } from "./replace-password.server.ts";

/**
 * Sets a new password, ends all other sessions and notifies the account holder by e-mail. Links mailed before and a pending
 * change of address are voided.
 *
 * @returns how many other sessions were ended
 * @throws invalid for a wrong current password, and for a new password that is the same or easy to guess
 * @throws rate_limited after too many wrong passwords
 * @throws conflict when the password was changed meanwhile
 * @spec Authentication
 */
export const changePassword = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter" | "settings">,
  caller: Caller<SessionProof>,
  input: PasswordChange,
  origin: Origin,
): Promise<{ endedSessions: number }> => {
  const { id } = caller.account;
  const currentHash = await checkPassword(ctx, caller, input.current_password, origin);
  if (input.new_password === input.current_password) {
    throw invalid("new_password", "Choose a password other than your current one");
  }
  refuseGuessable(input.new_password, caller.account, "new_password");
  const newHash = await hashPassword(input.new_password);
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const locked = await lockUnchanged(tx, id, currentHash);
    if (!locked) throw conflict("The password was changed in the meantime. Sign in again");
    const endedSessions = await replacePassword(locked, newHash, now, { proof: caller.proof, origin });
    await recordAudit(tx, caller, "password.changed", now, { ended_sessions: endedSessions });
    const mail = passwordChanged(ctx.settings.appUrl);
    await enqueue(tx, { ...mail, dedupeKey: `password-changed:${id}:${now.toISOString()}`, accountId: id }, now);
    return { endedSessions };
  });
};
