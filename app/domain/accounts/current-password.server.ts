import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import type { Caller, SessionProof } from "./caller.ts";
import type { Origin } from "./lucia.server.ts";
import { attemptPassword } from "./password-attempt.server.ts";

/**
 * Asks whoever is signed in for the password again, before something that a left-open browser must not do. It is counted
 * like a sign-in: who holds a session may not guess faster than who stands at the door.
 *
 * @returns the password's hash, for `lockUnchanged`: it has to be the same when the work is done
 * @throws invalid for a wrong one
 * @throws rate_limited after too many attempts
 */
export const checkPassword = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter">,
  { account }: Caller<SessionProof>,
  password: string,
  origin: Origin,
): Promise<string> => {
  const attempt = await attemptPassword(ctx, { email: account.email, password }, origin);
  if (attempt.holder?.account.id !== account.id) throw invalid("current_password", "Not your current password");
  await attempt.password.giveBack();
  return attempt.holder.passwordHash;
};
