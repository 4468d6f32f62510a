/** Counters in this process: for one process, and for tests. */
import type { RateLimiter } from "./limiter.ts";
import { judge } from "./policy.ts";

type Counter = { hour: number; hourCount: number; second: number; secondCount: number };

/** Above this many subjects, those of hours gone by are forgotten. */
const sweepAbove = 50_000;

export const memoryRateLimiter = (): RateLimiter => {
  const counters = new Map<string, Counter>();

  const current = (subject: string, now: Date): Counter => {
    const second = Math.floor(now.getTime() / 1000);
    const hour = Math.floor(second / 3600);
    const counter = counters.get(subject);
    if (counter?.hour === hour)
      return counter.second === second ? counter : Object.assign(counter, { second, secondCount: 0 });
    if (counters.size > sweepAbove) {
      for (const [name, old] of counters) if (old.hour < hour) counters.delete(name);
    }
    const fresh = { hour, hourCount: 0, second, secondCount: 0 };
    counters.set(subject, fresh);
    return fresh;
  };

  return {
    take: async (subject, budget, now) => {
      const counter = current(subject, now);
      counter.hourCount += 1;
      counter.secondCount += 1;
      return judge({ hour: counter.hourCount, second: counter.secondCount }, budget, now);
    },
    peek: async (subject, budget, now) => {
      const counter = current(subject, now);
      return judge({ hour: counter.hourCount, second: counter.secondCount }, budget, now);
    },
  };
};
