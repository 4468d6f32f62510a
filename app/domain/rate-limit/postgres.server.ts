/**
 * Counters in PostgreSQL, for several processes without Redis. One statement counts both windows of all requests that have
 * arrived while the statement before was running.
 */
import { batch } from "../../platform/batch.server.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { RateLimiter } from "./limiter.ts";
import { verdictOf } from "./policy.ts";
import * as queries from "./queries.server.ts";

type Requests = { subject: string; now: Date; requests: number };

export const postgresRateLimiter = (db: Tx): RateLimiter => {
  const count = batch((taken: Requests[]) => countTogether(db, taken));
  return {
    take: async (subject, budget, now, requests = 1) => verdictOf(await count({ subject, now, requests }), budget, now),
    giveBack: async (subject, now, requests = 1) => queries.removeRequests(db, windowsOf({ subject, now, requests })),
    peek: async (subject, budget, now) => {
      const [hour, second] = windowsOf({ subject, now, requests: 0 });
      const counted = byWindow(await queries.findRequests(db, [hour, second]));
      return verdictOf({ hour: counted.get(keyOf(hour)) ?? 0, second: counted.get(keyOf(second)) ?? 0 }, budget, now);
    },
  };
};

/** Counts each request after those before it in the list. */
const countTogether = async (db: Tx, taken: Requests[]): Promise<{ hour: number; second: number }[]> => {
  const added = new Map<string, queries.WindowCount>();
  const windows = taken.map(windowsOf);
  for (const window of windows.flat()) {
    const { requests } = added.get(keyOf(window)) ?? { requests: 0 };
    added.set(keyOf(window), { ...window, requests: requests + window.requests });
  }
  const totals = byWindow(await queries.addRequests(db, [...added.values()]));
  const counts = new Map([...added].map(([key, { requests }]) => [key, (totals.get(key) ?? requests) - requests]));
  const countedAt = (window: queries.WindowCount): number => {
    const counted = (counts.get(keyOf(window)) ?? 0) + window.requests;
    counts.set(keyOf(window), counted);
    return counted;
  };
  return windows.map(([hour, second]) => ({ hour: countedAt(hour), second: countedAt(second) }));
};

const windowsOf = ({ subject, now, requests }: Requests): [hour: queries.WindowCount, second: queries.WindowCount] => {
  const secondNumber = Math.floor(now.getTime() / 1000);
  return [
    { subject, requests, windowSeconds: 3600, windowNumber: Math.floor(secondNumber / 3600) },
    { subject, requests, windowSeconds: 1, windowNumber: secondNumber },
  ];
};

const byWindow = (counts: readonly queries.WindowCount[]) =>
  new Map(counts.map((count) => [keyOf(count), count.requests]));

const keyOf = ({ subject, windowSeconds, windowNumber }: queries.WindowCount): string =>
  `${windowSeconds} ${windowNumber} ${subject}`;
