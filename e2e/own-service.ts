/**
 * The test of journeys that move time: the clock is the whole service's and goes forward only, so they have a service
 * and a database of their own, shared by one worker's journeys.
 */
import { type Service, startService } from "../app/testing/service.ts";
import { test as base, expect } from "./journey.ts";

export const test = base.extend<{ clock: Clock }, { ownService: Service }>({
  ownService: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are asked for
    async ({}, use) => {
      const service = await startService({ env: { TRUST_PROXY: "1" } });
      await use(service);
      await service.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: ({ ownService }, use) => use(ownService.url),
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
