import { describe, expect, it } from "vitest";
import { mandatorySurchargesCents, mandatorySurchargesOn, type Surcharge } from "./surcharges.ts";

const surcharge = (changes: Partial<Surcharge>): Surcharge => ({
  code: "BAF",
  name: "Bunker Adjustment Factor",
  amountCents: 100,
  currency: "USD",
  basis: "per_container",
  mandatory: true,
  validFrom: "2026-10-01",
  validTo: null,
  ...changes,
});
const highCube = { basis: "per_container", equipmentType: "45G1" };
const twentyFoot = { basis: "per_container", equipmentType: "22G1" };
const tonne = { basis: "per_tonne", equipmentType: "" };

describe("Mandatory surcharges on a rate", () => {
  it.each([
    { what: "of the rate's own basis count once", on: highCube, with: {}, cents: 100 },
    { what: "per TEU count twice on a forty-foot container", on: highCube, with: { basis: "per_teu" }, cents: 200 },
    { what: "per TEU count once on a twenty-foot container", on: twentyFoot, with: { basis: "per_teu" }, cents: 100 },
    { what: "per tonne count on a tonne", on: tonne, with: { basis: "per_tonne" }, cents: 100 },
    { what: "per bill of lading are no part of it", on: highCube, with: { basis: "per_bl" }, cents: 0 },
    { what: "that are optional do not count", on: highCube, with: { mandatory: false }, cents: 0 },
    { what: "count on their last day", on: highCube, with: { validTo: "2026-11-20" }, cents: 100 },
    { what: "do not count after their last day", on: highCube, with: { validTo: "2026-11-19" }, cents: 0 },
    { what: "do not count before their first day", on: highCube, with: { validFrom: "2026-11-21" }, cents: 0 },
  ])("$what", ({ on, with: changes, cents }) => {
    expect(mandatorySurchargesCents([surcharge(changes)], on, "2026-11-20")).toBe(cents);
  });

  it("in another currency keep it, and are converted and rounded once for the unit of the rate", () => {
    const exchangeRate = { rate: "1.0931", asOf: "2026-11-13", source: "ECB" };
    // 100.05 EUR a TEU are 109.36 USD; for two TEU, 218.73 and not twice as much.
    const inEuro = surcharge({ amountCents: 10_005, currency: "EUR", basis: "per_teu", exchangeRate });
    expect(mandatorySurchargesOn([inEuro], highCube, "2026-11-20")).toEqual([
      { code: "BAF", amountCents: 20_010, currency: "EUR", exchangeRate },
    ]);
    expect(mandatorySurchargesCents([surcharge({}), inEuro], highCube, "2026-11-20")).toBe(100 + 21_873);
  });
});
