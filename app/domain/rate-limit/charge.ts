import { Refusal } from "../errors.ts";
import type { Budget, RateLimiter, Verdict } from "./limiter.ts";
import { retryAfterSeconds } from "./policy.ts";

export const overLimit = (verdict: Verdict, now: Date): Refusal =>
  new Refusal("rate_limited", "Too many requests - Rate limit exceeded", {
    retryAfterSeconds: retryAfterSeconds(verdict, now),
  });

/**
 * Counts further requests that an accepted one costs: all of them, or none if the hour does not cover them. They use up
 * the burst of the second too, but are not refused for it, as an answer may cost more than any burst.
 *
 * @throws rate_limited
 * @spec Limits
 */
export const chargeRequests = async (
  limiter: RateLimiter,
  { subject, budget, now }: { subject: string; budget: Budget; now: Date },
  requests: number,
): Promise<Verdict> => {
  const before = await limiter.peek(subject, budget, now);
  if (before.remaining < requests) throw overLimit({ ...before, refusedBy: "hour" }, now);
  const verdict = await limiter.take(subject, budget, now, requests);
  if (verdict.refusedBy !== "hour") return verdict;
  // Other requests were counted in between.
  await limiter.giveBack(subject, now, requests);
  throw overLimit(verdict, now);
};
