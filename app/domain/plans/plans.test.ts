import { describe, expect, it } from "vitest";
import { hourlyByPlan, hourlyLimitOf, keysByPlan, storageByPlan } from "./plans.ts";

describe("The hourly limit of an account", () => {
  it.each([
    ["the plan's", "enterprise", null, 25_000],
    ["its own where the plan allows one", "enterprise", 80_000, 80_000],
    ["the plan's where it does not", "professional", 80_000, 5_000],
  ] as const)("is %s", (_, plan, customHourlyLimit, limit) => {
    expect(hourlyLimitOf({ plan, customHourlyLimit })).toBe(limit);
  });
});

describe("The plans in words", () => {
  it("name every plan with its figure", () => {
    expect(hourlyByPlan).toBe("60 without credentials; 1,000 (Free), 5,000 (Professional) and 25,000 (Enterprise)");
    expect(keysByPlan).toBe("2 (Free), 10 (Professional) and any number (Enterprise)");
    expect(storageByPlan).toBe("for 30 days (Free), for 90 days (Professional) and for ever (Enterprise)");
  });
});
