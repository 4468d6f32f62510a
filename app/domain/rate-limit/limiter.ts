/**
 * The one interface behind which the counters live: memory, any Redis, or Upstash.
 *
 * @spec Limits
 */
export type Budget = {
  /** Requests in a UTC clock hour. */
  hourly: number;
  /** Requests in one second. */
  burst: number;
  /** While the store is away, counted by each process for itself. Without it, not counted at all. */
  strict?: true;
};

export type Verdict = {
  /** `null`: accepted. Otherwise which window was used up. */
  refusedBy: "hour" | "burst" | null;
  limit: number;
  /** Left in this hour. */
  remaining: number;
  /** Requests left in this second, and the second's budget. */
  burstRemaining: number;
  burstLimit: number;
  /** The start of the next hour. */
  resetAt: Date;
};

export type RateLimiter = {
  /** Counts one request of `subject` (`account:12`, `ip:203.0.113.7`), refused ones too. */
  take(subject: string, budget: Budget, now: Date): Promise<Verdict>;
  /**
   * Undoes one `take` of the same `subject` and `now`, in both windows. A window never falls below zero, so one that has
   * expired, or is counted elsewhere, stays as it is.
   */
  giveBack(subject: string, now: Date): Promise<void>;
  /** What `take` would say, without counting. */
  peek(subject: string, budget: Budget, now: Date): Promise<Verdict>;
};
