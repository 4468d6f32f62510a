import type { Context } from "../context.ts";
import type { Account } from "./caller.ts";
import type { CredentialsWithCode } from "./credentials.ts";
import { ownBudgetOf, seenFrom } from "./known-origin.server.ts";
import type { Origin } from "./lucia.server.ts";
import { passwordMatches } from "./password.server.ts";
import * as queries from "./queries.server.ts";
import { type Attempt, passwordsOf, secondFactorsOf } from "./throttle.server.ts";

export type PasswordAttempt = {
  /** Whose password it is; null for a wrong one, and for an address without an account. */
  holder: { account: Account; passwordHash: string } | null;
  password: Attempt;
  /** Null: no code came with it. */
  code: Attempt | null;
};

/**
 * The only comparison of a password with an account's. The attempt is counted before, with a code that comes along: when
 * it is refused, nothing has been compared, and so the refusal cannot tell whether it was right.
 *
 * @throws rate_limited
 */
export const attemptPassword = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter">,
  { email, password, one_time_code: code }: CredentialsWithCode,
  origin: Origin,
): Promise<PasswordAttempt> => {
  const found = await queries.findForSignIn(ctx.db, email, seenFrom(ctx, origin));
  const ownBudget = found && ownBudgetOf(found.account.id, found.knownBy, origin);
  const counted = {
    password: await passwordsOf(ctx, email, ownBudget, origin).count(),
    code: code === undefined ? null : await secondFactorsOf(ctx, email, ownBudget, origin).count(),
  };
  const isRight = await passwordMatches(found?.passwordHash ?? null, password);
  return { holder: isRight && found ? found : null, ...counted };
};
