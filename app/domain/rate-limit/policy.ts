/** Plan → budget. @spec Limits */
import { networkOf } from "../../platform/ip-address.ts";
import type { Account, Plan } from "../accounts/caller.ts";
import type { Budget, Verdict } from "./limiter.ts";

export type PlanLimits = Budget & {
  /** Null: unlimited. */
  maxApiKeys: number | null;
  /** How long single log records are kept, in days. Null: for ever. */
  storageDays: number | null;
};

export const planLimits = {
  free: { hourly: 1_000, burst: 20, maxApiKeys: 2, storageDays: 30 },
  professional: { hourly: 5_000, burst: 50, maxApiKeys: 10, storageDays: 90 },
  enterprise: { hourly: 25_000, burst: 100, maxApiKeys: null, storageDays: null },
} as const satisfies Record<Plan, PlanLimits>;

/** Requests without credentials, or with wrong ones, per client address. */
export const anonymousBudget: Budget = { hourly: 60, burst: planLimits.free.burst };

export const budgetOf = (account: Pick<Account, "plan" | "customHourlyLimit">): Budget => ({
  hourly: (account.plan === "enterprise" ? account.customHourlyLimit : null) ?? planLimits[account.plan].hourly,
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
