import { expect, it } from "vitest";
import { daysEarlier, monthsIn, monthsLater } from "./days.ts";

it.each([
  ["2026-01-31", 1, "2026-02-28"],
  ["2028-01-31", 1, "2028-02-29"],
  ["2026-11-30", 3, "2027-02-28"],
  ["2026-12-15", 12, "2027-12-15"],
  ["2026-10-31", 2, "2026-12-31"],
])("%s is %i months later %s", (day, months, later) => {
  expect(monthsLater(day, months)).toBe(later);
});

it.each([
  ["2026-03-02", 3, "2026-02-27"],
  ["2028-03-01", 1, "2028-02-29"],
  ["2027-01-01", 1, "2026-12-31"],
])("%s is %i days earlier %s", (day, days, earlier) => {
  expect(daysEarlier(day, days)).toBe(earlier);
});

it("reads the months of a term", () => {
  expect(["1_month", "12_months"].map(monthsIn)).toEqual([1, 12]);
  expect(() => monthsIn("forever")).toThrow("forever");
});
