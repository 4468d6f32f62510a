/**
 * The base test of journeys that move the clock, which belongs to the whole service and only goes forward. Because it
 * has its own worker fixture, Playwright runs these tests in their own workers, each with its own service.
 */
import { test as base, expect, serveJourneys, serviceStartLimitMs } from "./journey.ts";

export const test = base.extend<{ clock: Clock }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright derives the fixtures that a function needs from its parameter
  service: [({}, use) => serveJourneys(use), { scope: "worker", timeout: serviceStartLimitMs }],
  clock: ({ request }, use) => {
    const movingAt = async (): Promise<string | null> =>
      (await (await request.get("/test-mode/clock")).json()).moving?.at.slice(0, "2026-01-01".length) ?? null;
    return use({
      moveTo: async (day) => {
        const answer = await request.post("/test-mode/clock", { data: { now: `${day}T12:00:00Z` } });
        expect([200, 202]).toContain(answer.status());
        // A long move continues after its answer, day by day. How many days it takes a minute depends on the machine.
        for (let at = await movingAt(); at !== null; at = await movingAt()) {
          await expect.poll(movingAt, { timeout: dayLimitMs }).not.toBe(at);
        }
        const { now } = await (await request.get("/test-mode/clock")).json();
        expect(now.slice(0, 10)).toBe(day);
      },
    });
  },
});

const dayLimitMs = 120_000;

type Clock = {
  /** Moves to noon (UTC) of a day that is not past, and runs the jobs that become due on the way. */
  moveTo(day: string): Promise<void>;
};

/** Calendar days in UTC, `YYYY-MM-DD`. */
export const daysFrom = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
