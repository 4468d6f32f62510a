import { describe, expect, it } from "vitest";
import { isRunning, statusOn, subscriptionStatuses } from "./status.ts";
import { beginTerm, extendTerm } from "./term.ts";

const cancelledAt = new Date("2026-11-01T12:00:00Z");

describe("The status of a subscription that ends on 30 November", () => {
  it.each([
    ["2026-11-01", null, "active"],
    ["2026-11-22", null, "active"],
    ["2026-11-23", null, "expiring_soon"],
    ["2026-11-29", null, "expiring_soon"],
    ["2026-11-30", null, "expired"],
    ["2027-02-01", null, "expired"],
    ["2026-11-10", cancelledAt, "cancelled"],
    ["2026-11-29", cancelledAt, "cancelled"],
    ["2026-11-30", cancelledAt, "expired"],
  ] as const)("on %s (cancelled: %s) is %s", (today, cancelled, status) => {
    expect(statusOn(today, { endDate: "2026-11-30", cancelledAt: cancelled })).toBe(status);
  });
});

it("Every status but expired gives access", () => {
  expect(subscriptionStatuses.filter(isRunning)).toEqual(["active", "expiring_soon", "cancelled"]);
});

describe("A subscription begun on 31 January", () => {
  it("keeps its day of the month through February", () => {
    const first = beginTerm("2026-01-31", "1_month");
    expect(first.endDate).toBe("2026-02-28");
    expect(extendTerm(first, "1_month").endDate).toBe("2026-03-31");
    expect(extendTerm(first, "12_months").endDate).toBe("2027-02-28");
  });
});
