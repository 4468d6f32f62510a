import { describe, expect, it } from "vitest";
import type { Verdict } from "./limiter.ts";
import {
  addressSubjectOf,
  budgetOf,
  quotaAlertAt,
  quotaReachedBy,
  retryAfterSeconds,
  subjectOf,
  verdictOf,
} from "./policy.ts";

const now = new Date("2026-11-20T09:30:00.250Z");
const budget = { hourly: 60, burst: 20 };

describe("The budget of an account", () => {
  it.each([
    ["free", null, { hourly: 1_000, burst: 20 }],
    ["professional", 9_000, { hourly: 5_000, burst: 50 }],
    ["enterprise", null, { hourly: 25_000, burst: 100 }],
    ["enterprise", 90_000, { hourly: 90_000, burst: 100 }],
  ] as const)("on %s with an agreed limit of %s is %o", (plan, customHourlyLimit, expected) => {
    expect(budgetOf({ plan, customHourlyLimit })).toEqual(expected);
  });
});

describe("Requests are counted together", () => {
  it("by account", () => {
    expect(subjectOf({ id: 12 })).toBe("account:12");
  });

  it.each([
    ["203.0.113.7", "ip:203.0.113.7"],
    ["2001:db8:7::1", "ip:2001:db8:7:0::/64"],
    ["2001:db8:7:0:ffff::2", "ip:2001:db8:7:0::/64"],
    [null, "ip:unknown"],
  ])("by address: %s as %s", (address, subject) => {
    expect(addressSubjectOf(address)).toBe(subject);
  });
});

describe("The verdict", () => {
  const of = (hour: number, second: number) => verdictOf({ hour, second }, budget, now);

  it("accepts the last request of each window, and rejects the next one", () => {
    expect(of(60, 20)).toEqual({
      refusedBy: null,
      limit: 60,
      remaining: 0,
      burstLimit: 20,
      burstRemaining: 0,
      resetAt: new Date("2026-11-20T10:00:00Z"),
    });
    expect(of(61, 20)).toMatchObject({ refusedBy: "hour", remaining: 0, burstRemaining: 0 });
    expect(of(60, 21)).toMatchObject({ refusedBy: "burst", remaining: 0, burstRemaining: 0 });
    expect(of(61, 21)).toMatchObject({ refusedBy: "hour" });
    expect(of(1, 1)).toMatchObject({ refusedBy: null, remaining: 59, burstRemaining: 19 });
  });

  it("names the start of the next hour, also at the start of one", () => {
    const resetAt = (at: string) => verdictOf({ hour: 1, second: 1 }, budget, new Date(at)).resetAt.toISOString();
    expect(resetAt("2026-11-20T09:59:59.999Z")).toBe("2026-11-20T10:00:00.000Z");
    expect(resetAt("2026-11-20T10:00:00.000Z")).toBe("2026-11-20T11:00:00.000Z");
  });
});

describe("A quota alert", () => {
  const verdict = (remaining: number, changes: Partial<Verdict> = {}): Verdict => ({
    refusedBy: null,
    limit: 60,
    remaining,
    burstLimit: 20,
    burstRemaining: 20,
    resetAt: now,
    ...changes,
  });

  it("is about 80 percent of the budget, rounded up", () => {
    expect([60, 61, 1].map(quotaAlertAt)).toEqual([48, 49, 1]);
  });

  it.each([
    [13, null],
    [12, 80],
    [11, null],
    [1, null],
    [0, 100],
  ])("with %i requests left is %s", (remaining, expected) => {
    expect(quotaReachedBy(verdict(remaining))).toBe(expected);
  });

  it("is not repeated by requests that the hour rejects", () => {
    expect(quotaReachedBy(verdict(0, { refusedBy: "hour" }))).toBe(null);
  });

  it("is also due for a request that only the second rejects, as it is counted", () => {
    expect(quotaReachedBy(verdict(12, { refusedBy: "burst" }))).toBe(80);
  });
});

describe("A rejected caller may retry", () => {
  const retryAfter = (refusedBy: Verdict["refusedBy"], resetAt: string) =>
    retryAfterSeconds(
      { ...verdictOf({ hour: 1, second: 1 }, budget, now), refusedBy, resetAt: new Date(resetAt) },
      now,
    );

  it("at the start of the next hour, in whole seconds and at least one", () => {
    expect(retryAfter("hour", "2026-11-20T10:00:00Z")).toBe(1_800);
    expect(retryAfter("hour", "2026-11-20T09:30:02.250Z")).toBe(2);
    expect(retryAfter("hour", "2026-11-20T09:30:02.251Z")).toBe(3);
    expect(retryAfter("hour", "2026-11-20T09:30:00.250Z")).toBe(1);
  });

  it("after a second if only the burst was too large", () => {
    expect(retryAfter("burst", "2026-11-20T10:00:00Z")).toBe(1);
  });
});
