/** Plan → budget. @spec Limits */

import { networkOf } from "../../platform/ip-address.ts";
import type { Account } from "../accounts/caller.ts";
import { hourlyLimitOf, planLimits } from "../plans/plans.ts";
import type { Budget, Verdict } from "./limiter.ts";

export const budgetOf = (account: Pick<Account, "plan" | "customHourlyLimit">): Budget => ({
  hourly: hourlyLimitOf(account),
  burst: planLimits[account.plan].burst,
});

/** Under which an account's requests are counted, whichever key or token they bear. */
export const subjectOf = (account: Pick<Account, "id">): string => `account:${account.id}`;

/**
 * Under which a client's address is counted. A household or a server has a whole /64 of IPv6 addresses to itself, so
 * all of them count as one.
 */
export const addressSubjectOf = (ipAddress: string | null): string =>
  `ip:${networkOf(ipAddress ?? "unknown", { ipv4: 32, ipv6: 64 })}`;

const millisecondsPerHour = 3_600_000;

/** What the counts of both windows, this request included, mean. */
export const verdictOf = (counts: { hour: number; second: number }, budget: Budget, now: Date): Verdict => ({
  refusedBy: counts.hour > budget.hourly ? "hour" : counts.second > budget.burst ? "burst" : null,
  limit: budget.hourly,
  remaining: Math.max(0, budget.hourly - counts.hour),
  burstLimit: budget.burst,
  burstRemaining: Math.max(0, budget.burst - counts.second),
  resetAt: new Date((Math.floor(now.getTime() / millisecondsPerHour) + 1) * millisecondsPerHour),
});

/** Whole seconds until a refused caller may try again, at least 1. @spec Limits, rule 3 */
export const retryAfterSeconds = (verdict: Verdict, now: Date): number =>
  verdict.refusedBy === "hour" ? Math.max(1, Math.ceil((verdict.resetAt.getTime() - now.getTime()) / 1000)) : 1;
