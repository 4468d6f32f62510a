import { describe, expect, it } from "vitest";
import { type LatestAttempt, nextAttempt, renews } from "./renewal.ts";

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
