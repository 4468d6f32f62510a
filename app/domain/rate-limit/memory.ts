/** Counters in memory, for a single process and for tests. */
import type { RateLimiter } from "./limiter.ts";
import { verdictOf } from "./policy.ts";

export const memoryRateLimiter = (): RateLimiter => {
  const hours = windows();
  const seconds = windows();
  return {
    take: (subject, budget, now, requests = 1) => {
      const [hour, second] = [hours.at(hourOf(now)), seconds.at(secondOf(now))];
      return verdictOf({ hour: hour.count(subject, requests), second: second.count(subject, requests) }, budget, now);
    },
    giveBack: async (subject, now, requests = 1) => {
      hours.known(hourOf(now))?.uncount(subject, requests);
      seconds.known(secondOf(now))?.uncount(subject, requests);
    },
    peek: async (subject, budget, now) => {
      const [hour, second] = [hours.at(hourOf(now)), seconds.at(secondOf(now))];
      return verdictOf({ hour: hour.counted(subject), second: second.counted(subject) }, budget, now);
    },
  };
};

const secondOf = (now: Date) => Math.floor(now.getTime() / 1000);
const hourOf = (now: Date) => Math.floor(secondOf(now) / 3600);

type Window = {
  count(subject: string, more: number): number;
  uncount(subject: string, fewer: number): void;
  counted(subject: string): number;
};

/** The last two windows: around a boundary, requests of the old window may arrive after the first of the new one. */
const windows = () => {
  const open = new Map<number, Window>();
  return {
    known: (number: number): Window | undefined => open.get(number),
    at: (number: number): Window => {
      const known = open.get(number);
      if (known) return known;
      const [oldest] = open.keys();
      if (open.size > 1 && oldest !== undefined) open.delete(oldest);
      const fresh = window();
      open.set(number, fresh);
      return fresh;
    },
  };
};

const window = (): Window => {
  const requests = new Map<string, number>();
  const counted = (subject: string) => requests.get(subject) ?? 0;
  return {
    counted,
    count: (subject, more) => {
      requests.set(subject, counted(subject) + more);
      return counted(subject);
    },
    uncount: (subject, fewer) => {
      requests.set(subject, Math.max(0, counted(subject) - fewer));
    },
  };
};
