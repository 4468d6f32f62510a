/** The headers of every API response, apart from the security headers of every answer, which the adapters add. */
import type { Verdict } from "../domain/rate-limit/limiter.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";

export const answerHeaders = (requestId: string, verdict: Verdict, now: Date): Record<string, string> => ({
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Request-Id": requestId,
  ...rateLimitHeaders(verdict, now),
});
