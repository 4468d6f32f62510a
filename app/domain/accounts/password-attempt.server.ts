import { logSecurityEvent } from "../../platform/security-events.ts";
import type { Context } from "../context.ts";
import type { Account } from "./caller.ts";
import type { CredentialsWithCode } from "./credentials.ts";
import { ownBudgetOf, seenFrom } from "./known-origin.server.ts";
import type { Origin } from "./lucia.server.ts";
import { passwordMatches } from "./password.server.ts";
import * as queries from "./queries.server.ts";
import { type Attempt, passwordsOf, secondFactorsOf } from "./throttle.server.ts";

export type PasswordAttempt = {
  /** The account with this password. Null for a wrong password, and for an address without an account. */
  holder: { account: Account; passwordHash: string } | null;
  password: Attempt;
  /** Null: the attempt has no code. */
  code: Attempt | null;
};

/**
 * The only place that compares passwords. The attempt, and a code sent with it, is counted first. A throttled attempt
 * is refused without any comparison, so the refusal does not reveal whether the password was correct.
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
  if (!isRight) logSecurityEvent("password.refused", found?.account.id ?? null);
  return { holder: isRight && found ? found : null, ...counted };
};
