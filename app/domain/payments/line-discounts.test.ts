import { expect, it } from "vitest";
import fc from "#app/testing/property-testing.ts";
import { quoteLine } from "../pricing/quote.ts";
import { lineDiscounts } from "./line-discounts.ts";

const lineOf = (monthlyCents: number, term: "1_month" | "3_months" | "12_months", volumePercent: number) =>
  quoteLine({ periodId: 1, routeId: 1, term, monthlyCents }, { percent: volumePercent, reason });

const reason = { kind: "tier", fromRoutes: 5, toRoutes: 10 } as const;

it.each([
  ["no discount", lineOf(10_000, "1_month", 0), []],
  ["the term discount alone", lineOf(10_000, "3_months", 0), [{ kind: "term", percent: 10, cents: 3000 }]],
  ["the volume discount alone", lineOf(10_000, "1_month", 5), [{ kind: "volume", percent: 5, reason, cents: 500 }]],
  [
    "both discounts",
    lineOf(10_000, "12_months", 10),
    [
      { kind: "term", percent: 25, cents: 30_000 },
      { kind: "volume", percent: 10, reason, cents: 12_000 },
    ],
  ],
])("lineDiscounts shows %s", (_, line, expected) => {
  expect(lineDiscounts(line)).toEqual(expected);
});

it("The discounts of a line add up to its total discount, whatever the rounding", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000_000 }),
      fc.constantFrom("1_month" as const, "3_months" as const, "12_months" as const),
      fc.integer({ min: 0, max: 100 }),
      (monthlyCents, term, volumePercent) => {
        const line = lineOf(monthlyCents, term, volumePercent);
        const discounts = lineDiscounts(line);
        expect(discounts.reduce((sum, { cents }) => sum + cents, 0)).toBe(line.discountCents);
        expect(discounts.every(({ cents }) => cents >= 0)).toBe(true);
      },
    ),
  );
});
