import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import type { Caller, SessionProof } from "./caller.ts";
import type { Origin } from "./lucia.server.ts";
import { passwordMatches } from "./password.server.ts";
import * as queries from "./queries.server.ts";
import { failedSignInsOf } from "./throttle.server.ts";

/**
 * Asks whoever is signed in for the password again, before something that a left-open browser must not do. A wrong one
 * counts as a failed sign-in: who holds a session may not guess faster than who stands at the door.
 *
 * @returns the password's hash, to see that it is still the same when the work is done
 * @throws invalid for a wrong one
 * @throws rate_limited after too many failures of the account or from one address
 */
export const checkPassword = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter">,
  { account }: Caller<SessionProof>,
  password: string,
  origin: Origin,
): Promise<string> => {
  const failures = failedSignInsOf(ctx, account.email, origin);
  await failures.refuseWhenUsedUp();
  const currentHash = await queries.findPasswordHash(ctx.db, account.id);
  if (await passwordMatches(currentHash, password)) return currentHash;
  await failures.count();
  throw invalid("current_password", "Not your current password");
};
