import { describe, expect, it } from "vitest";
import type { PaidTerm } from "#app/domain/subscriptions/list.server.ts";
import { timelineOf } from "./timeline.ts";

const term: PaidTerm = {
  ...{ id: 1, term: "3_months", startDate: "2026-09-01", endDate: "2026-12-01", amountCents: 54_000 },
  ...{ paidOn: "2026-09-01", invoice: { id: 7, number: "2026-000012" }, endedOn: null },
};
const subscription = {
  ...{ endDate: "2026-12-01", renewalTerm: "3_months" as const, nextCharge: null },
  ...{ cancelledAt: null, renewal: { lastFailure: null } },
};
const nextCharge = { date: "2026-11-28", amountCents: 56_000 };
const steps = (subscription: Parameters<typeof timelineOf>[0], today: string, paid = [term]) =>
  timelineOf(subscription, paid, today).map(({ what, on, isPast }) => `${on} ${what}${isPast ? " (past)" : ""}`);

describe("the timeline of a subscription", () => {
  it("ends with the next charge and the next term if it renews", () => {
    expect(steps({ ...subscription, status: "active", nextCharge }, "2026-11-01")).toEqual([
      "2026-09-01 payment (past)",
      "2026-11-24 reminder",
      "2026-11-28 charge",
      "2026-12-01 next_term",
    ]);
    expect(steps({ ...subscription, status: "expiring_soon", nextCharge }, "2026-11-25")).toEqual([
      "2026-09-01 payment (past)",
      "2026-11-28 charge",
      "2026-12-01 next_term",
    ]);
  });

  it("ends with both reminders and the end date if it does not renew", () => {
    expect(steps({ ...subscription, status: "active" }, "2026-11-01")).toEqual([
      "2026-09-01 payment (past)",
      "2026-11-24 reminder",
      "2026-11-30 reminder",
      "2026-12-01 end",
    ]);
  });

  it("has no reminders once it is cancelled, and only past steps once it has expired", () => {
    const cancelled = { ...subscription, cancelledAt: new Date("2026-10-05T08:00:00Z") };
    expect(steps({ ...cancelled, status: "cancelled" }, "2026-11-01")).toEqual([
      "2026-09-01 payment (past)",
      "2026-10-05 cancellation (past)",
      "2026-12-01 end",
    ]);
    expect(steps({ ...subscription, status: "expired" }, "2027-01-01")).toEqual([
      "2026-09-01 payment (past)",
      "2026-12-01 end (past)",
    ]);
  });

  it("names the last day with access, which is the day before the end date", () => {
    expect(timelineOf({ ...subscription, status: "active" }, [term], "2026-11-30")).toMatchObject([
      { what: "payment", firstDay: "2026-09-01", lastDay: "2026-11-30", invoice: { number: "2026-000012" } },
      { what: "end", lastDay: "2026-11-30" },
    ]);
  });

  it("shows an early renewal on the day of its payment, not of its term", () => {
    const early = { ...term, id: 2, startDate: "2026-12-01", endDate: "2027-03-01", paidOn: "2026-10-10" };
    expect(steps({ ...subscription, endDate: "2027-03-01", status: "active" }, "2026-11-01", [term, early])).toEqual([
      "2026-09-01 payment (past)",
      "2026-10-10 payment (past)",
      "2027-02-22 reminder",
      "2027-02-28 reminder",
      "2027-03-01 end",
    ]);
  });

  it("shows the failed charge of a renewal that is past due, and the next attempt", () => {
    const lastFailure = {
      code: "card_declined",
      message: "Your card was declined.",
      at: new Date("2026-11-28T00:05:00Z"),
    };
    const pastDue = { ...subscription, status: "expiring_soon" as const, renewal: { lastFailure } };
    const retry = { date: "2026-11-29", amountCents: 56_000 };
    expect(timelineOf({ ...pastDue, nextCharge: retry }, [term], "2026-11-28")).toMatchObject([
      { what: "payment" },
      { what: "failed_charge", on: "2026-11-28", message: "Your card was declined." },
      { what: "charge", on: "2026-11-29", isRetry: true },
      { what: "next_term" },
    ]);
  });
});
