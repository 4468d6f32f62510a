/** The rate-limit headers of every response: the specification's and the IETF's. @spec Rate limit headers */
import type { Verdict } from "../domain/rate-limit/limiter.ts";

export const rateLimitHeaders = (verdict: Verdict, now: Date): Record<string, string> => {
  const resetSeconds = Math.max(1, Math.ceil((verdict.resetAt.getTime() - now.getTime()) / 1000));
  return {
    "X-RateLimit-Limit": String(verdict.limit),
    "X-RateLimit-Remaining": String(verdict.remaining),
    "X-RateLimit-Reset": String(Math.floor(verdict.resetAt.getTime() / 1000)),
    "RateLimit-Policy": `"hour";q=${verdict.limit};w=3600, "second";q=${verdict.burstLimit};w=1`,
    RateLimit: `"hour";r=${verdict.remaining};t=${resetSeconds}, "second";r=${verdict.burstRemaining};t=1`,
  };
};
