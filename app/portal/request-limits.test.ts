import { expect, it } from "vitest";
import { fixedClock } from "../domain/clock.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { countDocument, countSearch } from "./request-limits.server.ts";
import type { Visit } from "./session.server.ts";

const visitor = () => {
  const clock = fixedClock("2026-11-20T09:00:00Z");
  const ctx = { clock, rateLimiter: memoryRateLimiter() } as unknown as Visit["ctx"];
  const visit: Visit = { ctx, caller: null, origin: { ipAddress: "192.0.2.1", userAgent: null } };
  return { clock, visit };
};

/** @returns how many requests were accepted in a row, and when the next may come */
const accepted = async (clock: ReturnType<typeof fixedClock>, each: number, count: () => Promise<void>) => {
  for (let requests = 0; ; requests += 1) {
    // No second gets more than it may.
    if (requests % each === 0) clock.set(new Date(clock.now().getTime() + 1_000).toISOString());
    const refused = await count().catch((response: Response) => response);
    if (refused) return { requests, status: refused.status, retryAfter: Number(refused.headers.get("Retry-After")) };
  }
};

it("draws 300 documents an hour", async () => {
  const { clock, visit } = visitor();
  const { requests, status, retryAfter } = await accepted(clock, 10, () => countDocument(visit));
  expect({ requests, status }).toEqual({ requests: 300, status: 429 });
  // To the end of the hour.
  expect(retryAfter).toBe(3_600 - 31);
});

it("answers 10,000 searches an hour", async () => {
  const { clock, visit } = visitor();
  const { requests, status } = await accepted(clock, 100, () => countSearch(visit));
  expect({ requests, status }).toEqual({ requests: 10_000, status: 429 });
});

it("draws 10 documents in a second", async () => {
  const { visit } = visitor();
  for (let drawn = 0; drawn < 10; drawn += 1) await countDocument(visit);
  await expect(countDocument(visit)).rejects.toMatchObject({ status: 429 });
});
