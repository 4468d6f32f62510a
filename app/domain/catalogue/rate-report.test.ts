import { describe, expect, it } from "vitest";
import { convertedCents, type ExchangeRate, exchangeRateFinder } from "./exchange-rates.ts";
import { allInCents, checkedRate, surchargesTotalCents, type WrittenRate } from "./rate-report.ts";
import type { CargoType } from "./route.ts";

const euro = (asOf: string, rate: string): ExchangeRate => ({ base: "EUR", quote: "USD", asOf, rate, source: "ECB" });
const findExchangeRate = exchangeRateFinder([
  euro("2026-11-06", "1.0842"),
  euro("2026-11-20", "1.1"),
  euro("2026-11-13", "1.0931"),
]);
const applied = { rate: "1.0931", asOf: "2026-11-13", source: "ECB" };

describe("The exchange rate of a day", () => {
  it.each([
    ["2026-11-05", undefined],
    ["2026-11-06", "1.0842"],
    ["2026-11-12", "1.0842"],
    ["2026-11-13", "1.0931"],
    ["2027-01-01", "1.1"],
  ])("is on %s the newest one until then: %s", (day, rate) => {
    expect(findExchangeRate("EUR", "USD", day)?.rate).toBe(rate);
  });

  it("is not that of the opposite pair", () => {
    expect(findExchangeRate("USD", "EUR", "2026-11-20")).toBeUndefined();
  });
});

describe("The total of a rate's surcharges", () => {
  it("converts each amount and rounds it half up", () => {
    const terminal = { code: "DTHC", amountCents: 24_500, currency: "EUR", exchangeRate: applied };
    expect(convertedCents(terminal, "USD")).toBe(26_781);
    expect(surchargesTotalCents([{ code: "BAF", amountCents: 62_000 }, terminal], "USD")).toBe(88_781);
  });

  it("is part of the all-in rate, which is unknown without it", () => {
    expect(allInCents({ baseRateCents: 431_000, surchargesCents: 88_781 })).toBe(519_781);
    expect(allInCents({ baseRateCents: 431_000, surchargesCents: null })).toBeNull();
  });
});

describe("A reported rate", () => {
  const check = (cargoType: CargoType, changes: Partial<WrittenRate>) => {
    const written: WrittenRate = { basis: "per_container", currency: "USD", surcharges: [], ...changes };
    return checkedRate(cargoType, written, { observedOn: () => "2026-11-16", findExchangeRate });
  };

  it("keeps the exchange rate of its day with a surcharge in another currency", () => {
    const surcharges = [
      { code: "BAF", amountCents: 62_000, currency: "USD" },
      { code: "DTHC", amountCents: 24_500, currency: "EUR" },
    ];
    const { rate, problems } = check("container", { equipmentType: "45G1", surcharges });
    expect(problems).toEqual([]);
    expect(rate).toEqual({
      equipmentType: "45G1",
      basis: "per_container",
      currency: "USD",
      surcharges: [
        { code: "BAF", amountCents: 62_000 },
        { code: "DTHC", amountCents: 24_500, currency: "EUR", exchangeRate: applied },
      ],
    });
  });

  it.each<[string, CargoType, Partial<WrittenRate>, string]>([
    [
      "without an exchange rate",
      "container",
      { surcharges: [{ code: "OTHC", amountCents: 1, currency: "CNY" }] },
      "surcharges.0.currency",
    ],
    ["of another basis than the cargo type's", "bulk", { equipmentType: "" }, "basis"],
    ["without an equipment type for a container", "container", { equipmentType: null }, "equipment_type"],
    ["with an equipment type that ISO 6346 does not have", "container", { equipmentType: "40HC" }, "equipment_type"],
    ["with an equipment type for other cargo", "ro_ro", { basis: "per_lane_metre" }, "equipment_type"],
    [
      "with a surcharge twice",
      "container",
      {
        surcharges: [
          { code: "BAF", amountCents: 1 },
          { code: "BAF", amountCents: 2 },
        ],
      },
      "surcharges.1.code",
    ],
  ])("is rejected %s", (_, cargoType, changes, path) => {
    const { problems } = check(cargoType, { equipmentType: "45G1", ...changes });
    expect(problems.map((problem) => problem.path)).toEqual([path]);
  });
});
