import { describe, expect, it } from "vitest";
import { Refusal } from "../errors.ts";
import type { Term } from "./discounts.ts";
import { calculatedPriceCents, monthlyPriceCents, quote, quoteAt, quoteLine } from "./quote.ts";
import { renewalVolumeDiscount, volumeDiscount } from "./volume-discount.ts";

describe("The monthly price of a period", () => {
  it.each([
    { base: 4900, freshness: "weekly", popularity: 100, cents: 4900 },
    { base: 4900, freshness: "daily", popularity: 100, cents: 6125 },
    { base: 4900, freshness: "real_time", popularity: 100, cents: 7840 },
    { base: 4900, freshness: "real_time", popularity: 150, cents: 11760 },
    { base: 4900, freshness: "weekly", popularity: 80, cents: 3920 },
    { base: 3333, freshness: "daily", popularity: 101, cents: 4208 }, // 4207.9125
    { base: 50, freshness: "daily", popularity: 100, cents: 63 }, // 62.5 rounds up
  ] as const)("of base $base, $freshness, popularity $popularity % is $cents cents", (row) => {
    expect(
      calculatedPriceCents({ basePriceCents: row.base, freshness: row.freshness, popularityPercent: row.popularity }),
    ).toBe(row.cents);
  });
});

it("The price that an operator has set replaces the calculated one, also if it is zero", () => {
  const factors = { basePriceCents: 4900, freshness: "daily", popularityPercent: 100 } as const;
  expect(monthlyPriceCents({ ...factors, overrideCents: null })).toBe(6125);
  expect(monthlyPriceCents({ ...factors, overrideCents: 5000 })).toBe(5000);
  expect(monthlyPriceCents({ ...factors, overrideCents: 0 })).toBe(0);
});

it("A quote adds up its lines, and says how each is made up", () => {
  const volume = { percent: 5, reason: { kind: "agreed" } } as const;
  const item = { periodId: 7, routeId: 3, term: "3_months", monthlyCents: 1000 } as const;
  expect(quoteAt([item, { ...item, periodId: 8, term: "1_month" }], volume)).toEqual({
    lines: [
      {
        ...item,
        months: 3,
        listCents: 3000,
        termDiscountPercent: 10,
        volumeDiscountPercent: 5,
        volumeDiscountReason: { kind: "agreed" },
        discountCents: 450,
        totalCents: 2550,
      },
      {
        ...item,
        periodId: 8,
        term: "1_month",
        months: 1,
        listCents: 1000,
        termDiscountPercent: 0,
        volumeDiscountPercent: 5,
        volumeDiscountReason: { kind: "agreed" },
        discountCents: 50,
        totalCents: 950,
      },
    ],
    listCents: 4000,
    discountCents: 500,
    totalCents: 3500,
  });
  expect(quoteAt([], volume)).toEqual({ lines: [], listCents: 0, discountCents: 0, totalCents: 0 });
});

describe("A line of a quote", () => {
  it.each([
    { term: "1_month", volume: 0, list: 1999, total: 1999 },
    { term: "2_months", volume: 0, list: 3998, total: 3798 }, // 3798.1
    { term: "3_months", volume: 0, list: 5997, total: 5397 }, // 5397.3
    { term: "6_months", volume: 0, list: 11994, total: 10195 }, // 10194.9
    { term: "12_months", volume: 0, list: 23988, total: 17991 },
    { term: "12_months", volume: 10, list: 23988, total: 15592 }, // 65 %: 15592.2
    { term: "3_months", volume: 5, list: 5997, total: 5097 }, // 85 %: 5097.45
    { term: "12_months", volume: 90, list: 23988, total: 0 },
  ] satisfies { term: Term; volume: number; list: number; total: number }[])(
    "of $term at $volume % volume discount costs $total of $list",
    ({ term, volume, list, total }) => {
      const line = quoteLine({ periodId: 1, routeId: 1, term, monthlyCents: 1999 }, { percent: volume, reason: null });
      expect(line).toMatchObject({ listCents: list, totalCents: total, discountCents: list - total });
    },
  );
});

describe("The volume discount", () => {
  it.each([
    [1, 0],
    [4, 0],
    [5, 5],
    [10, 5],
    [11, 10],
    [20, 10],
  ])("for %i routes is %i percent", (routes, percent) => {
    expect(volumeDiscount(routes, null).percent).toBe(percent);
  });

  it("requires an agreement with sales from 21 routes on", () => {
    expect(() => volumeDiscount(21, null)).toThrow(new Refusal("invalid", "Custom pricing: contact sales"));
    expect(volumeDiscount(21, 18).percent).toBe(18);
  });

  it.each([
    ["no tier", volumeDiscount(4, 5), null],
    ["a tier, with both its ends", volumeDiscount(7, 5), { kind: "tier", fromRoutes: 5, toRoutes: 10 }],
    ["the last tier", volumeDiscount(20, 5), { kind: "tier", fromRoutes: 11, toRoutes: 20 }],
    ["an agreement, also over a percentage of the table", volumeDiscount(21, 5), { kind: "agreed" }],
    ["a renewal's tier", renewalVolumeDiscount(7), { kind: "tier", fromRoutes: 5, toRoutes: 10 }],
    [
      "a renewal's last tier, which has no end",
      renewalVolumeDiscount(25),
      { kind: "tier", fromRoutes: 11, toRoutes: null },
    ],
  ])("names %s as its reason", (_, discount, reason) => {
    expect(discount.reason).toEqual(reason);
  });

  it("counts each route once, even if it is ordered twice or already running", () => {
    const item = (routeId: number) => ({ periodId: routeId, routeId, term: "1_month" as const, monthlyCents: 1000 });
    expect(quote([item(1), item(1), item(2)], [2, 3, 4], null).lines[0]?.volumeDiscountPercent).toBe(0);
    expect(quote([item(1), item(2)], [2, 3, 4, 5], null)).toMatchObject({ totalCents: 1900, discountCents: 100 });
  });
});
