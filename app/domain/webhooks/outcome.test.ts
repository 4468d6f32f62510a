import { describe, expect, it } from "vitest";
import { type Attempt, outcomeOf } from "./outcome.ts";
import { disabledAfterHours, retryMinutes } from "./policy.ts";

const now = new Date("2026-11-20T09:30:00Z");
const failed = (more: Partial<Attempt>): Attempt => ({
  status: 500,
  retryAfter: null,
  tries: 1,
  failingSince: null,
  now,
  jitter: 0,
  ...more,
});
const minutesUntil = (date: Date) => (date.getTime() - now.getTime()) / 60_000;
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);

describe("An attempt", () => {
  it.each([200, 201, 202, 204, 299])("is successful with status %d", (status) => {
    expect(outcomeOf(failed({ status }))).toEqual({ status: "delivered", dueAt: now, disable: null });
  });

  it.each([null, 199, 301, 302, 304, 400, 401, 404, 500, 503])("is repeated after status %s", (status) => {
    expect(outcomeOf(failed({ status }))).toMatchObject({ status: "pending", disable: null });
  });

  it("is repeated after the delays of the schedule, and then no more", () => {
    const delays = retryMinutes.map((_, index) => minutesUntil(outcomeOf(failed({ tries: index + 1 })).dueAt));
    expect(delays).toEqual([1, 5, 24, 90, 240, 360, 720, 1440, 1440]);
    expect(delays.reduce((sum, delay) => sum + delay)).toBe(disabledAfterHours * 60);
    expect(outcomeOf(failed({ tries: retryMinutes.length + 1 }))).toMatchObject({ status: "failed", disable: null });
  });

  it("is delayed by up to a tenth more at random", () => {
    expect(minutesUntil(outcomeOf(failed({ tries: 5, jitter: 1 })).dueAt)).toBeCloseTo(264);
  });

  it.each([
    ["a longer wait in seconds", "7200", 120],
    ["a longer wait as a date", "Fri, 20 Nov 2026 10:30:00 GMT", 60],
    ["a shorter wait than the schedule", "5", 1],
    ["a wait over the limit", "9999999", 1440],
    ["a date in the past", "Fri, 20 Nov 2020 10:30:00 GMT", 1],
    ["something else", "soon", 1],
  ])("respects Retry-After with %s", (_what, retryAfter, minutes) => {
    expect(minutesUntil(outcomeOf(failed({ status: 429, retryAfter })).dueAt)).toBe(minutes);
  });

  it("disables the endpoint with 410", () => {
    expect(outcomeOf(failed({ status: 410 }))).toMatchObject({ status: "failed", disable: "gone" });
  });

  it.each([
    [71.9, null],
    [72, "failing"],
    [100, "failing"],
  ])("disables an endpoint that has failed for %d hours: %s", (hours, disable) => {
    expect(outcomeOf(failed({ failingSince: hoursAgo(hours) })).disable).toBe(disable);
    expect(outcomeOf(failed({ status: 204, failingSince: hoursAgo(hours) })).disable).toBeNull();
  });
});
