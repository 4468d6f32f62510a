/**
 * The test of journeys that move time: the clock is the whole service's and goes forward only. Tests with a worker
 * fixture of their own get a worker of their own from Playwright, and so a service that other journeys do not see.
 */
import { test as base, expect, serveJourneys, serviceStartLimitMs } from "./journey.ts";

export const test = base.extend<{ clock: Clock }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
  service: [({}, use) => serveJourneys(use), { scope: "worker", timeout: serviceStartLimitMs }],
  clock: ({ request }, use) =>
    use({
      moveTo: async (day) => {
        const answer = await request.post("/test-mode/clock", { data: { now: `${day}T12:00:00Z` } });
        expect([day, answer.status()]).toEqual([day, 200]);
      },
    }),
});

type Clock = {
  /** Noon of that day (UTC), which must not be past; what becomes due on the way is done. */
  moveTo(day: string): Promise<void>;
};

/** Calendar days in UTC, `YYYY-MM-DD`. */
export const daysFrom = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
