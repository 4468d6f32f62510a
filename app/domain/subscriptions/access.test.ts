import { describe, expect, it } from "vitest";
import fc from "../../testing/property-testing.ts";
import { standings } from "../accounts/enums.ts";
import { addDays } from "../dates.ts";
import { accessOn, isOpenTo } from "./access.ts";

const today = "2026-11-20";
const subscription = fc.record({
  endDate: fc.integer({ min: -40, max: 40 }).map((days) => addDays(today, days)),
  cancelledAt: fc.option(fc.constant(new Date("2026-11-01T00:00:00Z"))),
});

describe("Access to a route", () => {
  it("is the same from all subscriptions and from whether one is active", () => {
    fc.assert(
      fc.property(fc.constantFrom(...standings), fc.array(subscription), fc.boolean(), (standing, all, isSample) => {
        const isSubscribed = all.some(({ endDate }) => endDate > today);
        expect(isOpenTo(standing, { isSample, isSubscribed })).toBe(accessOn(today, standing, all, isSample).hasAccess);
      }),
    );
  });
});
