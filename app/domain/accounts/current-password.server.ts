import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import type { Caller, SessionProof } from "./caller.ts";
import type { Origin } from "./lucia.server.ts";
import { attemptPassword } from "./password-attempt.server.ts";

/**
 * Checks the password again before a sensitive action, to protect sessions left open. Attempts are throttled like
 * sign-ins, so that a stolen session does not allow faster guessing.
 *
 * @returns the password's hash, for `lockUnchanged`: it must still be the same when the action runs
 * @throws invalid for a wrong password
 * @throws rate_limited after too many attempts
 */
export const checkPassword = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter">,
  { account }: Caller<SessionProof>,
  password: string,
  origin: Origin,
): Promise<string> => {
  const attempt = await attemptPassword(ctx, { email: account.email, password }, origin);
  if (attempt.holder?.account.id !== account.id) throw invalid("current_password", "This is not your current password");
  await attempt.password.giveBack();
  return attempt.holder.passwordHash;
};
