/**
 * A limiter whose store may go away: then requests are served uncounted, and the fact is logged and counted. Strict
 * budgets, which keep guessing slow, are counted in this process meanwhile.
 */
import type { Log } from "../../platform/log.server.ts";
import { withTimeout } from "../with-timeout.ts";
import type { RateLimiter, Verdict } from "./limiter.ts";
import { memoryRateLimiter } from "./memory.ts";
import { verdictOf } from "./policy.ts";

export type FailOpenRateLimiter = RateLimiter & {
  /** Questions that the store has not answered since the start. */
  failures(): number;
};

/**
 * While the store is away one question at a time is put to it, and the others do not wait for it: a store that hangs
 * does not slow every request down. The first answer ends that.
 *
 * @param options.timeoutMs how long a verdict is waited for
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
    (question: RateLimiter["take"], instead: RateLimiter["take"]): RateLimiter["take"] =>
    async (subject, budget, now) => {
      const served = async (error?: unknown): Promise<Verdict> => {
        failures += 1;
        complain(error);
        if (budget.strict) return instead(subject, budget, now);
        return verdictOf({ hour: 0, second: 0 }, budget, now);
      };
      if (away && probing) return served();
      const probe = away;
      probing ||= probe;
      try {
        const verdict = await withTimeout(options.timeoutMs ?? 250, question(subject, budget, now));
        away = false;
        return verdict;
      } catch (error) {
        away = true;
        return served(error);
      } finally {
        if (probe) probing = false;
      }
    };

  /** An attempt that cannot be given back stays counted: the strict side is the safe one. */
  const giveBack: RateLimiter["giveBack"] = async (subject, now) => {
    if (away) return here.giveBack(subject, now);
    try {
      await withTimeout(options.timeoutMs ?? 250, limiter.giveBack(subject, now));
    } catch (error) {
      away = true;
      failures += 1;
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

/** The first complaint at once, those of the ten seconds after it in one line at their end. */
const complaints = (log: Pick<Log, "error">) => {
  let requests = 0;
  let latest: unknown;
  let quiet = false;
  const speak = () => {
    quiet = requests > 0;
    if (!quiet) return;
    log.error("The rate limiter's store did not answer; requests were served uncounted", { requests }, latest);
    requests = 0;
    setTimeout(speak, quietMs).unref();
  };
  return (error?: unknown) => {
    requests += 1;
    latest = error ?? latest;
    if (!quiet) speak();
  };
};
