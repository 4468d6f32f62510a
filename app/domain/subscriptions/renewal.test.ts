import { describe, expect, it } from "vitest";
import { smallestChargeCents } from "../payments/order.ts";
import type { QuoteLine } from "../pricing/quote.ts";
import {
  failureOf,
  isAutoRenewalOn,
  isChargeable,
  isPastDue,
  type LatestAttempt,
  nextAttempt,
  pastDueState,
  type RecordedAttempt,
  renews,
} from "./renewal.ts";

it.each([
  [{ autoRenew: true, cancelledAt: null }, "good", true],
  [{ autoRenew: false, cancelledAt: null }, "good", false],
  [{ autoRenew: true, cancelledAt: new Date(0) }, "good", false],
  [{ autoRenew: true, cancelledAt: null }, "suspended", false],
] as const)("A subscription with %o of an account in %s standing renews: %s", (subscription, standing, expected) => {
  expect(renews(subscription, { standing })).toBe(expected);
});

describe("The next attempt to charge a renewal that ends on 20 December", () => {
  const declined = (attemptedOn: string): LatestAttempt => ({ attemptedOn, state: "declined" });

  it.each<[title: string, today: string, latest: LatestAttempt | null, expected: string | null]>([
    ["is three days before the end", "2026-11-20", null, "2026-12-17"],
    ["is today on the day of the charge", "2026-12-17", null, "2026-12-17"],
    ["is today when that day has passed", "2026-12-19", null, "2026-12-19"],
    ["is the day after a decline", "2026-12-17", declined("2026-12-17"), "2026-12-18"],
    ["is today on the day after a decline", "2026-12-18", declined("2026-12-17"), "2026-12-18"],
    ["is today if no job ran on the day after a decline", "2026-12-19", declined("2026-12-17"), "2026-12-19"],
    ["is the last day before the end after a second decline", "2026-12-18", declined("2026-12-18"), "2026-12-19"],
    ["is null after a decline on the last day", "2026-12-19", declined("2026-12-19"), null],
    [
      "is today while an attempt is pending",
      "2026-12-17",
      { attemptedOn: "2026-12-17", state: "pending" },
      "2026-12-17",
    ],
    ["is null once it is charged", "2026-12-17", { attemptedOn: "2026-12-17", state: "succeeded" }, null],
    ["is null on the end date", "2026-12-20", null, null],
  ])("%s", (_, today, latest, expected) => {
    expect(nextAttempt(today, "2026-12-20", latest)).toBe(expected);
  });
});

it.each([
  [{ autoRenew: true, cancelledAt: null }, true],
  [{ autoRenew: false, cancelledAt: null }, false],
  [{ autoRenew: true, cancelledAt: new Date(0) }, false],
])("Auto-renewal of a subscription with %o is on: %s", (subscription, expected) => {
  expect(isAutoRenewalOn(subscription)).toBe(expected);
});

it("A quote can be charged from the smallest amount that cards accept", () => {
  const quote = (totalCents: number) => ({ totalCents }) as QuoteLine;
  expect(isChargeable(quote(smallestChargeCents))).toBe(true);
  expect(isChargeable(quote(smallestChargeCents - 1))).toBe(false);
  expect(isChargeable(null)).toBe(false);
});

describe("A renewal that ends on 20 December is past due", () => {
  const subscription = { autoRenew: true, cancelledAt: null, endDate: "2026-12-20" };
  const declined: LatestAttempt = { attemptedOn: "2026-12-17", state: "declined" };

  it.each<[string, Parameters<typeof isPastDue>, boolean]>([
    ["on the last day after a decline", ["2026-12-19", subscription, { standing: "good" }, declined], true],
    ["not on its end", ["2026-12-20", subscription, { standing: "good" }, declined], false],
    ["not before an attempt", ["2026-12-19", subscription, { standing: "good" }, null], false],
    [
      "not while an attempt is pending",
      ["2026-12-19", subscription, { standing: "good" }, { ...declined, state: "pending" }],
      false,
    ],
    ["not with a suspended account", ["2026-12-19", subscription, { standing: "suspended" }, declined], false],
    [
      "not without auto-renewal",
      ["2026-12-19", { ...subscription, autoRenew: false }, { standing: "good" }, declined],
      false,
    ],
  ])("%s", (_, input, expected) => {
    expect(isPastDue(...input)).toBe(expected);
  });
});

describe("The failure of the latest attempt", () => {
  const attempt: RecordedAttempt = {
    attemptedOn: "2026-12-17",
    state: "declined",
    declineCode: "expired_card",
    createdAt: new Date("2026-12-17T03:00:00Z"),
    settledAt: new Date("2026-12-17T03:00:05Z"),
  };

  it("is dated when it was settled, or when it was made", () => {
    expect(failureOf(attempt)).toMatchObject({ code: "expired_card", at: attempt.settledAt });
    expect(failureOf({ ...attempt, settledAt: null })).toMatchObject({ at: attempt.createdAt });
  });

  it("is null unless it was declined", () => {
    expect(failureOf(null)).toBe(null);
    expect(failureOf({ ...attempt, state: "pending" })).toBe(null);
    expect(failureOf({ ...attempt, state: "succeeded" })).toBe(null);
  });

  it.each([
    ["requires_action", "action_required"],
    ["authentication_required", "action_required"],
    ["expired_card", "past_due"],
  ])("with the code %s makes the renewal %s", (code, state) => {
    expect(pastDueState({ code })).toBe(state);
  });
});
