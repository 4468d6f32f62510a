import { expect, it } from "vitest";
import { monthsOf, term, terms } from "./discounts.ts";
import { customPricingFromRoutes, highestAgreedPercent, termDiscountPercent, volumeTiers } from "./policy.ts";

it("The terms have these months and discounts", () => {
  expect(terms.map((each) => [each, monthsOf[each], termDiscountPercent[each]])).toEqual([
    ["1_month", 1, 0],
    ["2_months", 2, 5],
    ["3_months", 3, 10],
    ["6_months", 6, 15],
    ["12_months", 12, 25],
  ]);
});

it("A term is read as callers write it", () => {
  for (const each of terms) expect(term.parse(each)).toBe(each);
  expect(term.parse("1_months")).toBe("1_month");
  for (const other of ["4_months", "1", "", 1, null]) expect(term.safeParse(other).success).toBe(false);
});

it("The tiers ascend, and end before sales decides", () => {
  const starts = volumeTiers.map(({ fromRoutes }) => fromRoutes);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  expect(Math.max(...starts)).toBeLessThan(customPricingFromRoutes);
});

it("The highest agreed discount leaves something to pay for every term", () => {
  for (const each of terms) expect(termDiscountPercent[each] + highestAgreedPercent).toBeLessThan(100);
});
