import { recordAudit } from "../accounts/audit.server.ts";
import type { Caller, SessionProof } from "../accounts/caller.ts";
import { confirmHolder } from "../accounts/confirm-holder.server.ts";
import type { PasswordChange } from "../accounts/credentials.ts";
import { lockUnchanged } from "../accounts/lock.server.ts";
import type { Origin } from "../accounts/lucia.server.ts";
import { countPasskeys, removeAllPasskeys } from "../accounts/passkeys.server.ts";
import { hashPassword } from "../accounts/password.server.ts";
import { refuseGuessable } from "../accounts/password-strength.server.ts";
import { replacePassword } from "../accounts/replace-password.server.ts";
import { countKeys, revokeKeys } from "../api-keys/manage.server.ts";
import type { Context } from "../context.ts";
import { conflict, invalid } from "../errors.ts";
import { passwordChanged } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";

/**
 * Sets a new password, ends all other sessions, revokes all API keys and removes all passkeys if asked to, and notifies the
 * account holder by e-mail. Links mailed before and a pending change of address are voided.
 *
 * @returns how many other sessions were ended, keys revoked and passkeys removed
 * @throws invalid for a wrong current password, a wrong or missing code if the account has a second factor, and a new password that is the same or easy to guess
 * @throws rate_limited after too many wrong passwords
 * @throws conflict when the password was changed meanwhile
 * @spec Authentication
 */
export const changePassword = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock" | "rateLimiter" | "sealer" | "settings">,
  caller: Caller<SessionProof>,
  input: PasswordChange,
  origin: Origin,
): Promise<{ endedSessions: number; revokedKeys: number; removedPasskeys: number }> => {
  const { id } = caller.account;
  const currentHash = await confirmHolder(ctx, caller, input, origin);
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
    const revokedKeys = input.revoke_keys ? await revokeKeys(tx, caller, now) : 0;
    const removedPasskeys = input.remove_passkeys ? await removeAllPasskeys(tx, id) : 0;
    const details = {
      ended_sessions: endedSessions,
      ...(revokedKeys > 0 ? { revoked_keys: revokedKeys } : {}),
      ...(removedPasskeys > 0 ? { removed_passkeys: removedPasskeys } : {}),
    };
    await recordAudit(tx, caller, "password.changed", now, details);
    const mail = passwordChanged(ctx.settings.appUrl, {
      signedOut: "every other session",
      revokedKeys,
      keptKeys: await countKeys({ ...ctx, db: tx }, caller),
      removedPasskeys,
      keptPasskeys: await countPasskeys({ db: tx }, caller),
    });
    await enqueue(tx, { ...mail, dedupeKey: `password-changed:${id}:${now.toISOString()}`, accountId: id }, now);
    return { endedSessions, revokedKeys, removedPasskeys };
  });
};
