import { describe, expect, it } from "vitest";
import fc from "../../testing/property-testing.ts";
import { standings } from "../accounts/enums.ts";
import { addDays } from "../dates.ts";
import { type Access, accessOn, isOpenTo } from "./access.ts";

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

const cancelledAt = new Date("2026-11-01T12:00:00Z");
const until = (endDate: string, cancelled: Date | null = null) => ({ endDate, cancelledAt: cancelled });
const open = (reason: Access["reason"], accessUntil: string | null): Access => ({
  hasAccess: true,
  reason,
  accessUntil,
});
const closed = (reason: Access["reason"]): Access => ({ hasAccess: false, reason, accessUntil: null });

it.each<[string, Parameters<typeof accessOn>, Access]>([
  ["no subscription", [today, "good", []], closed("never_subscribed")],
  ["a subscription that ends tomorrow", [today, "good", [until("2026-11-21")]], open("expiring_soon", "2026-11-21")],
  ["one that ends today", [today, "good", [until(today)]], closed("expired")],
  ["one that ends in eight days", [today, "good", [until("2026-11-28")]], open("active", "2026-11-28")],
  ["a cancelled one", [today, "good", [until("2026-11-28", cancelledAt)]], open("cancelled", "2026-11-28")],
  ["a cancelled one that has ended", [today, "good", [until("2026-11-19", cancelledAt)]], closed("expired")],
  [
    "an expired one, and a later one that is active",
    [today, "good", [until("2026-11-19"), until("2027-01-20")]],
    open("active", "2027-01-20"),
  ],
  [
    "an active one, and an earlier one that has expired",
    [today, "good", [until("2027-01-20"), until("2026-11-19")]],
    open("active", "2027-01-20"),
  ],
  [
    "three in any order",
    [today, "good", [until("2026-12-24"), until("2027-01-20", cancelledAt), until("2026-11-01")]],
    open("cancelled", "2027-01-20"),
  ],
  ["a sample without a subscription", [today, "good", [], true], open("sample", null)],
  ["a sample with one", [today, "good", [until("2027-01-20")], true], open("sample", null)],
  ["a suspended account with one", [today, "suspended", [until("2027-01-20")]], closed("account_suspended")],
  ["a suspended account and a sample", [today, "suspended", [], true], closed("account_suspended")],
])("Access with %s", (_, input, expected) => {
  expect(accessOn(...input)).toEqual(expected);
});

it("leaves the list of subscriptions as it was", () => {
  const subscriptions = [until("2026-11-01"), until("2027-01-20")];
  accessOn(today, "good", subscriptions);
  expect(subscriptions.map(({ endDate }) => endDate)).toEqual(["2026-11-01", "2027-01-20"]);
});
