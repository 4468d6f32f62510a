/** Whose requests are counted together, against which budget, and what the counts mean. @spec Limits */

import { networkOf } from "../../platform/ip-address.ts";
import type { Account } from "../accounts/caller.ts";
import { hourlyLimitOf, planLimits } from "../plans/plans.ts";
import type { Budget, Verdict } from "./limiter.ts";

export const budgetOf = (account: Pick<Account, "plan" | "customHourlyLimit">): Budget => ({
  hourly: hourlyLimitOf(account),
  burst: planLimits[account.plan].burst,
});

/** The subject that an account's requests are counted under, whichever key or token they use. */
export const subjectOf = (account: Pick<Account, "id">): string => `account:${account.id}`;

/**
 * The subject that requests from a client address are counted under. All IPv6 addresses of a /64 count as one, since a
 * household or a server usually has a whole /64.
 */
export const addressSubjectOf = (ipAddress: string | null): string =>
  `ip:${networkOf(ipAddress ?? "unknown", { ipv4: 32, ipv6: 64 })}`;

const millisecondsPerHour = 3_600_000;

/** The verdict that follows from the counts of both windows, this request included. */
export const verdictOf = (counts: { hour: number; second: number }, budget: Budget, now: Date): Verdict => ({
  refusedBy: counts.hour > budget.hourly ? "hour" : counts.second > budget.burst ? "burst" : null,
  limit: budget.hourly,
  remaining: Math.max(0, budget.hourly - counts.hour),
  burstLimit: budget.burst,
  burstRemaining: Math.max(0, budget.burst - counts.second),
  resetAt: new Date((Math.floor(now.getTime() / millisecondsPerHour) + 1) * millisecondsPerHour),
});

/** The requests of an hour that the first alert is about. */
export const quotaAlertAt = (limit: number): number => Math.ceil(limit * 0.8);

/** The share of the hour's budget, in percent, that this request is the first to use up. Null: neither of the two. */
export const quotaReachedBy = ({ refusedBy, limit, remaining }: Verdict): 80 | 100 | null => {
  if (refusedBy === "hour") return null;
  if (remaining === 0) return 100;
  return limit - remaining === quotaAlertAt(limit) ? 80 : null;
};

/** Whole seconds until a refused caller may retry, at least 1. @spec Limits, rule 3 */
export const retryAfterSeconds = (verdict: Verdict, now: Date): number =>
  verdict.refusedBy === "hour" ? Math.max(1, Math.ceil((verdict.resetAt.getTime() - now.getTime()) / 1000)) : 1;
