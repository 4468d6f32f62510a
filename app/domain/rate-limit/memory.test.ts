import { expect, it } from "vitest";
import { memoryRateLimiter } from "./memory.ts";

const budget = { hourly: 60, burst: 20 };
const at = (time: string) => new Date(`2026-11-20T${time}Z`);

it("counts the requests of a subject in the hour and in the second", async () => {
  const limiter = memoryRateLimiter();
  await limiter.take("a", budget, at("09:30:00.000"));
  expect(await limiter.take("a", budget, at("09:30:00.999"), 3)).toMatchObject({ remaining: 56, burstRemaining: 16 });
  expect(await limiter.take("a", budget, at("09:30:01.000"))).toMatchObject({ remaining: 55, burstRemaining: 19 });
  expect(await limiter.take("b", budget, at("09:30:01.000"))).toMatchObject({ remaining: 59, burstRemaining: 19 });
  expect(await limiter.take("a", budget, at("10:00:00.000"))).toMatchObject({ remaining: 59, burstRemaining: 19 });
});

it("shows the counts without counting", async () => {
  const limiter = memoryRateLimiter();
  expect(await limiter.peek("a", budget, at("09:30:00"))).toMatchObject({ remaining: 60, burstRemaining: 20 });
  await limiter.take("a", budget, at("09:30:00"), 2);
  await limiter.peek("a", budget, at("09:30:00"));
  expect(await limiter.peek("a", budget, at("09:30:00"))).toMatchObject({ remaining: 58, burstRemaining: 18 });
});

it("gives requests back in both windows, but never more than were counted", async () => {
  const limiter = memoryRateLimiter();
  await limiter.take("a", budget, at("09:30:00"), 3);
  await limiter.giveBack("a", at("09:30:00"));
  expect(await limiter.peek("a", budget, at("09:30:00"))).toMatchObject({ remaining: 58, burstRemaining: 18 });
  await limiter.giveBack("a", at("09:30:00"), 5);
  expect(await limiter.peek("a", budget, at("09:30:00"))).toMatchObject({ remaining: 60, burstRemaining: 20 });
});

it("gives back what a window has that is still open, and nothing else", async () => {
  const limiter = memoryRateLimiter();
  await limiter.giveBack("a", at("09:30:00"));
  await limiter.take("a", budget, at("09:30:00"));
  await limiter.giveBack("a", at("09:30:05"));
  expect(await limiter.peek("a", budget, at("09:30:00"))).toMatchObject({ remaining: 60, burstRemaining: 19 });
});

it("keeps the window before the latest, for requests that arrive late, and forgets older ones", async () => {
  const limiter = memoryRateLimiter();
  await limiter.take("a", budget, at("09:59:59"), 4);
  await limiter.take("a", budget, at("10:00:00"));
  expect(await limiter.take("a", budget, at("09:59:59"))).toMatchObject({ remaining: 55, burstRemaining: 15 });
  await limiter.take("a", budget, at("10:00:01"));
  expect(await limiter.peek("a", budget, at("09:59:59"))).toMatchObject({ remaining: 55, burstRemaining: 20 });
});
