import { describe, expect, it } from "vitest";
import { fixedRates } from "./fixed-rates.ts";
import { isReverseCharge } from "./reverse-charge.ts";
import { type TaxAddress, taxAt, taxesByRate, taxesOfRefund } from "./tax.ts";

const seller = { country: "DE", taxId: "DE123456789" };
const buyerIn = (country: string, taxId: string | null = null): TaxAddress => ({
  country,
  taxId,
  region: null,
  postalCode: null,
});

describe("Tax", () => {
  it.each([
    [10_000, "19", 1_900],
    [1_050, "8.1", 85],
    [50, "5", 3],
    [10_000, "9.975", 998],
    [0, "19", 0],
  ])("on %i cents at %s%% is %i, rounded half up", (net, rate, cents) => {
    expect(taxAt(net, rate)).toBe(cents);
  });
});

describe("The reverse charge", () => {
  it.each([
    ["applies between companies in two countries of the EU", seller, buyerIn("NL", "NL123456789B01"), true],
    ["does not apply within a country", seller, buyerIn("DE", "DE987654321"), false],
    ["does not apply to buyers without a VAT number", seller, buyerIn("NL"), false],
    ["does not apply to buyers outside the EU", seller, buyerIn("CH", "CHE123456789"), false],
    ["does not apply to sellers outside the EU", { country: "US", taxId: "12-3456789" }, buyerIn("NL", "NL1"), false],
    ["does not apply to sellers without a VAT number", { country: "DE", taxId: null }, buyerIn("NL", "NL1"), false],
    ["does not apply to an unknown buyer", seller, null, false],
    ["does not apply without a seller", null, buyerIn("NL", "NL123456789B01"), false],
  ])("%s", (_, from, to, applies) => {
    expect(isReverseCharge(from, to)).toBe(applies);
  });
});

describe("Fixed rates", () => {
  const provider = fixedRates(
    seller,
    new Map([
      ["DE", { name: "VAT", ratePercent: "19" }],
      ["NL", { name: "VAT", ratePercent: "21" }],
    ]),
  );
  const lines = [
    { reference: "a", netCents: 1_003 },
    { reference: "b", netCents: 2_003 },
  ];

  it.each([
    ["of the buyer's country", buyerIn("NL"), "NL", [211, 421]],
    ["of the seller's country while the buyer's is not known", null, "DE", [191, 381]],
    ["nowhere else", buyerIn("US"), "US", [0, 0]],
    ["not to companies that account for the VAT", buyerIn("NL", "NL123456789B01"), "NL", [0, 0]],
  ])("apply %s", async (_, buyer, country, cents) => {
    const result = await provider.calculate({ currency: "USD", buyer, lines });
    expect(result.country).toBe(country);
    expect(result.lines.map((taxes) => taxes.reduce((sum, { taxCents }) => sum + taxCents, 0))).toEqual(cents);
    expect(result.isReverseCharge).toBe(buyer?.taxId !== undefined && buyer?.taxId !== null);
  });
});

const vat = (ratePercent: string, taxableCents: number, taxCents: number) => ({
  name: "VAT",
  jurisdiction: "DE",
  ratePercent,
  taxableCents,
  taxCents,
});

it("The taxes of lines are summed for each rate", () => {
  expect(taxesByRate([[vat("19", 1_000, 190)], [vat("7", 100, 7)], [vat("19", 500, 95)]])).toEqual([
    vat("19", 1_500, 285),
    vat("7", 100, 7),
  ]);
});

it("Partial refunds give back all of the tax, to the cent", () => {
  const taxes = [vat("19", 1_001, 190)];
  const refunds = [397, 397, 397];
  let earlierCents = 0;
  const sums = { taxable: 0, tax: 0 };
  for (const cents of refunds) {
    for (const { taxableCents, taxCents } of taxesOfRefund(taxes, 1_191, { earlierCents, cents })) {
      sums.taxable += taxableCents;
      sums.tax += taxCents;
      expect(taxableCents + taxCents).toBe(-cents);
    }
    earlierCents += cents;
  }
  expect(sums).toEqual({ taxable: -1_001, tax: -190 });
});
