import { describe, expect, it } from "vitest";
import { timelineOf } from "./timeline.ts";

const paid = [{ id: 1, term: "3_months" as const, startDate: "2026-09-01", endDate: "2026-12-01", totalCents: 54_000 }];
const subscription = { endDate: "2026-12-01", renewalTerm: "3_months" as const };
const steps = (subscription: Parameters<typeof timelineOf>[0], today: string) =>
  timelineOf(subscription, paid, today).map(({ what, on, isPast }) => `${on} ${what}${isPast ? " (past)" : ""}`);

describe("the timeline of a subscription", () => {
  it("ends with the next charge if it renews", () => {
    const nextCharge = { date: "2026-11-28", amountCents: 56_000 };
    expect(steps({ ...subscription, status: "active", nextCharge }, "2026-11-01")).toEqual([
      "2026-09-01 paid (past)",
      "2026-11-24 reminder",
      "2026-11-28 charge",
    ]);
    expect(steps({ ...subscription, status: "expiring_soon", nextCharge }, "2026-11-25")).toEqual([
      "2026-09-01 paid (past)",
      "2026-11-28 charge",
    ]);
  });

  it("ends with both reminders and the end date if it does not renew", () => {
    expect(steps({ ...subscription, status: "active", nextCharge: null }, "2026-11-01")).toEqual([
      "2026-09-01 paid (past)",
      "2026-11-24 reminder",
      "2026-11-30 reminder",
      "2026-12-01 end",
    ]);
  });

  it("has no reminders once it is cancelled, and only past steps once it has expired", () => {
    expect(steps({ ...subscription, status: "cancelled", nextCharge: null }, "2026-11-01")).toEqual([
      "2026-09-01 paid (past)",
      "2026-12-01 end",
    ]);
    expect(steps({ ...subscription, status: "expired", nextCharge: null }, "2027-01-01")).toEqual([
      "2026-09-01 paid (past)",
      "2026-12-01 end (past)",
    ]);
  });
});
