import type { Account } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { budgetOf, subjectOf } from "../rate-limit/policy.ts";

/** The hourly limit of an account and what is left of it. @spec Limits */
export type Quota = { limit: number; remaining: number; resetsAt: Date };

/** Does not count as a request. */
export const readQuota = async (ctx: Pick<Context, "rateLimiter" | "clock">, account: Account): Promise<Quota> => {
  const { limit, remaining, resetAt } = await ctx.rateLimiter.peek(
    subjectOf(account),
    budgetOf(account),
    ctx.clock.now(),
  );
  return { limit, remaining, resetsAt: resetAt };
};
