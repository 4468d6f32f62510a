import type { Context } from "../context.ts";
import { conflict, invalid } from "../errors.ts";
import { passwordChanged } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { recordAct } from "./audit.server.ts";
import type { Caller, SessionProof } from "./caller.ts";
import type { PasswordChange } from "./credentials.ts";
import type { Origin } from "./lucia.server.ts";
import { hashPassword, passwordMatches } from "./password.server.ts";
import * as queries from "./queries.server.ts";
import { failedSignInsOf } from "./throttle.server.ts";

/**
 * Sets another password and signs out everywhere but here; the holder is told by mail. A wrong current password counts as a failed sign-in: who
 * holds a session may not guess faster than who stands at the door.
 *
 * @returns how many other sessions were ended
 * @throws invalid for a wrong current password, and for a new one that is the same
 * @throws rate_limited after too many failures of the account or from one address
 * @throws conflict when the password was changed meanwhile
 * @spec Authentication
 */
export const changePassword = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter" | "settings">,
  caller: Caller<SessionProof>,
  input: PasswordChange,
  origin: Origin,
): Promise<{ endedSessions: number }> => {
  const { id, email } = caller.account;
  const failures = failedSignInsOf(ctx, email, origin);
  await failures.refuseWhenUsedUp();
  const currentHash = await queries.findPasswordHash(ctx.db, id);
  if (!(await passwordMatches(currentHash, input.current_password))) {
    await failures.count();
    throw invalid("current_password", "Not your current password");
  }
  if (input.new_password === input.current_password) {
    throw invalid("new_password", "Choose a password that differs from the current one");
  }
  const newHash = await hashPassword(input.new_password);
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    if (!(await queries.replacePasswordHash(tx, id, currentHash, newHash))) {
      throw conflict("The password was changed elsewhere meanwhile");
    }
    await queries.voidResets(tx, id, now);
    const endedSessions = await queries.deleteOtherSessions(tx, id, caller.proof.sessionId, now);
    await recordAct(tx, caller, "password.changed", now, { ended_sessions: endedSessions });
    const mail = passwordChanged(ctx.settings.appUrl);
    await enqueue(tx, { ...mail, dedupeKey: `password-changed:${id}:${now.toISOString()}`, accountId: id }, now);
    return { endedSessions };
  });
};
