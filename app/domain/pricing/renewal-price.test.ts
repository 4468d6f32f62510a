import { describe, expect, it } from "vitest";
import { freshnessPercent } from "../catalogue/priced-period.ts";
import { percentOf } from "../money.ts";
import type { Term } from "./discounts.ts";
import { quoteLine } from "./quote.ts";
import { cappedRenewal, type LastPaid, priceChangeInWords, renewalCapInWords } from "./renewal-price.ts";

type Factors = {
  basePriceCents: number;
  freshness: "weekly" | "daily" | "real_time";
  popularityPercent: number;
  overrideCents: number | null;
};
const pricing: Factors = { basePriceCents: 40_000, freshness: "daily", popularityPercent: 100, overrideCents: null };
const factors = {
  monthlyCents: 50_000,
  basePriceCents: 40_000,
  freshnessPercent: 125,
  popularityPercent: 100,
  isSetByOperator: false,
};
const noVolume = { percent: 0, reason: null };

const renewal = (
  changed: Partial<Factors>,
  {
    term = "1_month",
    volume = 0,
    paid,
    monthlyCents,
  }: { term?: Term; volume?: number; paid?: LastPaid | null; monthlyCents?: number } = {},
  capPercent = 10,
) => {
  const now = { ...pricing, ...changed };
  const calculated = (now.basePriceCents * freshnessPercent[now.freshness] * now.popularityPercent) / 10_000;
  const item = { periodId: 1, routeId: 1, term, monthlyCents: monthlyCents ?? now.overrideCents ?? calculated };
  const line = quoteLine(item, volume > 0 ? { percent: volume, reason: { kind: "agreed" } } : noVolume);
  const before: LastPaid = { totalCents: 50_000, volumeDiscountPercent: 0, factors };
  return cappedRenewal(line, now, paid === undefined ? before : paid, capPercent);
};

describe("The price of a renewal", () => {
  it("is today's while it has risen by no more than the cap", () => {
    expect(renewal({ popularityPercent: 110 })).toMatchObject({
      totalCents: 55_000,
      priceChange: { previousCents: 50_000, reasons: ["popularity"], isCapped: false },
    });
  });

  it("is capped beyond that, and its line still adds up", () => {
    const line = renewal({ popularityPercent: 140, freshness: "real_time" });
    expect(line).toMatchObject({
      monthlyCents: 55_000,
      listCents: 55_000,
      discountCents: 0,
      totalCents: 55_000,
      priceChange: { previousCents: 50_000, reasons: ["freshness", "popularity"], isCapped: true },
    });
  });

  it.each([
    ["3_months", 0],
    ["6_months", 5],
    ["12_months", 10],
  ] as const)("never exceeds the cap for %s with a volume discount of %i%%", (term, volume) => {
    for (const totalCents of [99_999, 100_000, 100_001, 123_457]) {
      const paid = { totalCents, volumeDiscountPercent: volume, factors };
      const line = renewal({ basePriceCents: 900_000 }, { term, volume, paid });
      const highest = Math.floor(totalCents * 1.1);
      expect(line.totalCents).toBeLessThanOrEqual(highest);
      expect(line.totalCents).toBeGreaterThan(highest - line.months);
      expect(line.totalCents).toBe(line.listCents - line.discountCents);
      expect(line.totalCents).toBe(percentOf(line.listCents, 100 - line.termDiscountPercent - volume));
      expect(line.listCents).toBe(line.monthlyCents * line.months);
    }
  });

  it("caps the loss of a volume discount as well", () => {
    const paid = { totalCents: 35_000, volumeDiscountPercent: 30, factors };
    expect(renewal({}, { paid })).toMatchObject({
      totalCents: 38_500,
      priceChange: { reasons: ["volume_discount"], isCapped: true },
    });
  });

  it("falls without a limit", () => {
    expect(renewal({ basePriceCents: 20_000 })).toMatchObject({
      totalCents: 25_000,
      priceChange: { previousCents: 50_000, reasons: ["base_price"], isCapped: false },
    });
  });

  it("may not rise at all with a cap of zero", () => {
    expect(renewal({ popularityPercent: 140 }, {}, 0).totalCents).toBe(50_000);
  });

  it("is today's for a term that was never paid", () => {
    expect(renewal({ popularityPercent: 150 }, { paid: null })).toMatchObject({
      totalCents: 75_000,
      priceChange: null,
    });
  });

  it("names the list price when it has changed without its factors", () => {
    expect(renewal({}, { monthlyCents: 52_000 }).priceChange?.reasons).toEqual(["list_price"]);
  });

  it("names the operator's price, and no factor that moved without effect", () => {
    expect(renewal({ popularityPercent: 120, overrideCents: 54_000 }).priceChange?.reasons).toEqual([
      "set_by_operator",
    ]);
    const paid = {
      totalCents: 45_000,
      volumeDiscountPercent: 0,
      factors: { ...factors, monthlyCents: 45_000, isSetByOperator: true },
    };
    expect(renewal({ popularityPercent: 120 }, { paid }).priceChange?.reasons).toEqual(["set_by_operator"]);
  });

  it("has no reason while the operator's price stays as it is", () => {
    const frozen = { popularityPercent: 140, overrideCents: 50_000 };
    expect(renewal(frozen).priceChange).toEqual({ previousCents: 50_000, reasons: [], isCapped: false });
  });

  it("has no reason where the earlier factors are not known", () => {
    const paid = { totalCents: 40_000, volumeDiscountPercent: 0, factors: null };
    expect(renewal({}, { paid }).priceChange).toEqual({ previousCents: 40_000, reasons: [], isCapped: true });
  });
});

it.each([
  ["base_price", "the trade lane's base price"],
  ["freshness", "the data's freshness"],
  ["popularity", "the route's popularity"],
  ["set_by_operator", "the price set by the operator"],
  ["list_price", "the route's list price"],
  ["volume_discount", "your volume discount"],
] as const)("The reason %s is put in words as %s", (reason, words) => {
  expect(priceChangeInWords({ previousCents: 1, reasons: [reason], isCapped: false })).toBe(`What changed: ${words}.`);
});

it("Without a change there are no words, and the cap may be all there is to say", () => {
  expect(priceChangeInWords({ previousCents: 1, reasons: [], isCapped: false })).toBe("");
  expect(priceChangeInWords({ previousCents: 1, reasons: [], isCapped: true })).toBe(
    "Today's price is higher, but a renewal may not cost more than this.",
  );
});

it("The rule of the cap is put in words", () => {
  expect(renewalCapInWords(10)).toBe(
    "A renewal costs at most 10% more than what you last paid for the same route and term.",
  );
});

it("The words for a change name what changed", () => {
  const change = { previousCents: 1, reasons: ["popularity" as const, "volume_discount" as const], isCapped: false };
  expect(priceChangeInWords(change)).toBe("What changed: the route's popularity and your volume discount.");
  expect(priceChangeInWords({ ...change, reasons: ["freshness"], isCapped: true })).toBe(
    "What changed: the data's freshness. Today's price is higher, but a renewal may not cost more than this.",
  );
});
