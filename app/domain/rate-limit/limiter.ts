/** The rate limiter's interface, implemented in memory, in PostgreSQL, on any Redis and on Upstash. @spec Limits */
import type { MaybePromise } from "../../platform/maybe-promise.ts";

export type Budget = {
  /** Requests in a UTC clock hour. */
  hourly: number;
  /** Requests in one second. */
  burst: number;
  /** Whether each process counts on its own while the store is unavailable. Otherwise nothing is counted then. */
  strict?: true;
};

export type Verdict = {
  /** The window that is used up. Null if the request is accepted. */
  refusedBy: "hour" | "burst" | null;
  limit: number;
  /** Requests left in this hour. */
  remaining: number;
  /** The budget of one second, and the requests left in this one. */
  burstRemaining: number;
  burstLimit: number;
  /** The start of the next hour. */
  resetAt: Date;
};

export type RateLimiter = {
  /** Counts a request of `subject` (`account:12`, `ip:203.0.113.7`), or several at once, even if they are refused. */
  take(subject: string, budget: Budget, now: Date, requests?: number): MaybePromise<Verdict>;
  /**
   * Undoes a `take` of the same `subject`, `now` and `requests` in both windows. A counter never falls below zero, so a window that
   * has expired or is counted elsewhere does not change.
   */
  giveBack(subject: string, now: Date, requests?: number): Promise<void>;
  /** The verdict without counting a request. */
  peek(subject: string, budget: Budget, now: Date): Promise<Verdict>;
};
