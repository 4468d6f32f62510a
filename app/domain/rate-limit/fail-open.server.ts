/**
 * A rate limiter that fails open: while its store is unavailable, requests are served uncounted, and the failures are
 * logged and counted. Strict budgets, which slow down guessing, are counted in this process instead.
 */
import type { Log } from "../../platform/log.server.ts";
import { rateLimitStoreFailures } from "../../platform/metrics/metrics.ts";
import { withTimeout } from "../with-timeout.ts";
import type { RateLimiter, Verdict } from "./limiter.ts";
import { memoryRateLimiter } from "./memory.ts";
import { verdictOf } from "./policy.ts";

export type FailOpenRateLimiter = RateLimiter & {
  /** Calls that the store has failed to answer since startup. */
  failures(): number;
};

/**
 * While the store is unavailable, one request at a time probes it and the others do not wait, so a hanging store does not
 * slow down every request. The first answer restores normal service.
 *
 * @param options.timeoutMs how long to wait for a verdict
 */
export const failOpen = (
  limiter: RateLimiter,
  log: Pick<Log, "error">,
  options: { timeoutMs?: number } = {},
): FailOpenRateLimiter => {
  const complain = complaints(log);
  const here = memoryRateLimiter();
  let failures = 0;
  let away = false;
  let probing = false;

  const guarded =
    (question: RateLimiter["take"], instead: RateLimiter["take"]) =>
    async (...[subject, budget, now, requests]: Parameters<RateLimiter["take"]>): Promise<Verdict> => {
      const served = async (error?: unknown): Promise<Verdict> => {
        failures += 1;
        rateLimitStoreFailures.add({});
        complain(error);
        if (budget.strict) return instead(subject, budget, now, requests);
        return verdictOf({ hour: 0, second: 0 }, budget, now);
      };
      if (away && probing) return served();
      const probe = away;
      probing ||= probe;
      try {
        const verdict = await withTimeout(options.timeoutMs ?? 250, question(subject, budget, now, requests));
        away = false;
        return verdict;
      } catch (error) {
        away = true;
        return served(error);
      } finally {
        if (probe) probing = false;
      }
    };

  /** A request that cannot be given back stays counted: for strict budgets that is the safe side. */
  const giveBack: RateLimiter["giveBack"] = async (subject, now, requests) => {
    if (away) return here.giveBack(subject, now, requests);
    try {
      await withTimeout(options.timeoutMs ?? 250, limiter.giveBack(subject, now, requests));
    } catch (error) {
      away = true;
      failures += 1;
      rateLimitStoreFailures.add({});
      complain(error);
    }
  };

  return {
    giveBack,
    take: guarded(limiter.take, here.take),
    peek: guarded(limiter.peek, here.peek),
    failures: () => failures,
  };
};

const quietMs = 10_000;

/** Logs the first failure at once, and further ones as a single line every ten seconds. */
const complaints = (log: Pick<Log, "error">) => {
  let requests = 0;
  let latest: unknown;
  let quiet = false;
  const speak = () => {
    quiet = requests > 0;
    if (!quiet) return;
    log.error("The rate limiter's store did not respond; requests were served uncounted", { requests }, latest);
    requests = 0;
    setTimeout(speak, quietMs).unref();
  };
  return (error?: unknown) => {
    requests += 1;
    latest = error ?? latest;
    if (!quiet) speak();
  };
};
