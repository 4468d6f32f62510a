import { describe, expect, it } from "vitest";
import { chargeRequests } from "./charge.ts";
import { memoryRateLimiter } from "./memory.ts";

const now = new Date("2026-11-20T09:30:00Z");
const of = { subject: "account:1", budget: { hourly: 100, burst: 20 }, now };
const refusal = { code: "rate_limited", retryAfterSeconds: 1_800 };

describe("Charging an answer", () => {
  it("counts its requests against the hour and the second, without a refusal for the burst", async () => {
    const limiter = memoryRateLimiter();
    await limiter.take(of.subject, of.budget, now);
    expect(await chargeRequests(limiter, of, 99)).toMatchObject({ remaining: 0, burstRemaining: 0 });
  });

  it("rejects it until the next hour and counts nothing if the hour does not cover it", async () => {
    const limiter = memoryRateLimiter();
    await limiter.take(of.subject, of.budget, now);
    await expect(chargeRequests(limiter, of, 100)).rejects.toMatchObject(refusal);
    expect(await limiter.peek(of.subject, of.budget, now)).toMatchObject({ remaining: 99 });
  });

  it("grants concurrent responses only as far as the hour covers them", async () => {
    const limiter = memoryRateLimiter();
    const charges = await Promise.allSettled(Array.from({ length: 3 }, () => chargeRequests(limiter, of, 40)));
    expect(charges.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await limiter.peek(of.subject, of.budget, now)).toMatchObject({ remaining: 20 });
  });
});
