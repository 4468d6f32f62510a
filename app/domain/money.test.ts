import { describe, expect, it } from "vitest";
import {
  convertHalfUp,
  currency,
  decimalAmount,
  divideHalfUp,
  inMinorUnits,
  minorDigitsOf,
  minorUnits,
  money,
  percentOf,
  writtenAmount,
} from "./money.ts";

describe("A written amount", () => {
  it.each([
    ["4310", "USD", 431_000],
    ["4310.5", "USD", 431_050],
    ["0.07", "USD", 7],
    ["4310.500", "USD", 431_050],
    ["4310.505", "USD", null],
    ["14500", "JPY", 14_500],
    ["14500.0", "JPY", 14_500],
    ["14500.5", "JPY", null],
    ["1.234", "KWD", 1234],
    ["-1", "USD", null],
    ["1e21", "USD", null],
    ["99999999999999", "USD", null],
  ])("%s %s is %s in minor units", (written, code, units) => {
    expect(minorUnits(written, code)).toBe(units);
    expect(inMinorUnits(Number(written), code)).toBe(units);
  });
});

it.each(["1.", ".5", "", "1,5", "1.5.0"])("%j is not an amount", (written) => {
  expect(minorUnits(written, "USD")).toBeNull();
});

describe("A converted amount", () => {
  it.each([
    ["at a decimal rate", 24_500, { from: "EUR", to: "USD", rate: "1.0931" }, 26_781],
    ["rounded half up", 50, { from: "EUR", to: "USD", rate: "1.09" }, 55],
    ["rounded down below the half", 50, { from: "EUR", to: "USD", rate: "1.0899" }, 54],
    ["from a currency without minor units", 14_500, { from: "JPY", to: "USD", rate: "0.0065" }, 9425],
    ["into a currency with three decimals", 10_000, { from: "USD", to: "KWD", rate: "0.3067" }, 30_670],
    ["at a whole rate", 3, { from: "GBP", to: "USD", rate: "2" }, 6],
  ])("is %s", (_, amount, pair, expected) => {
    expect(convertHalfUp(amount, pair)).toBe(expected);
  });
});

describe("A currency", () => {
  it.each([
    ["USD", 2],
    ["JPY", 0],
    ["KWD", 3],
    ["USD", 2],
  ])("%s has %i decimals, also when asked again", (code, digits) => {
    expect(minorDigitsOf(code)).toBe(digits);
  });

  it("is written in three letters", () => {
    expect(() => minorDigitsOf("EURO")).toThrow(RangeError);
  });

  it("of the service's own prices is the dollar", () => {
    expect(currency).toBe("USD");
  });
});

describe("An amount in words", () => {
  it.each([
    [431_050, "USD", "4310.50"],
    [14_500, "JPY", "14500"],
    [1234, "KWD", "1.234"],
    [7, "USD", "0.07"],
  ])("of %i %s is %s", (amount, code, written) => {
    expect(decimalAmount(amount, code)).toBe(written);
    expect(writtenAmount(amount, code)).toBe(`${written} ${code}`);
  });

  it("has its thousands grouped where people read it", () => {
    expect(money(123_450, "USD")).toBe("USD 1,234.50");
    expect(money(7, "EUR")).toBe("EUR 0.07");
  });
});

describe("A written amount that is none", () => {
  it.each(["", ".5", "1.", "1,5", "4310.5x", "x4310", "1 000"])("%j is null in minor units", (written) => {
    expect(minorUnits(written, "USD")).toBe(null);
  });

  it("may be zero and no less", () => {
    expect(inMinorUnits(0, "USD")).toBe(0);
    expect(inMinorUnits(-0.01, "USD")).toBe(null);
  });

  it("is safe up to the largest integer that is exact", () => {
    expect(minorUnits("90071992547409.91", "USD")).toBe(Number.MAX_SAFE_INTEGER);
    expect(minorUnits("90071992547409.92", "USD")).toBe(null);
  });
});

describe("Division", () => {
  it.each([
    [1, 2, 1],
    [1, 3, 0],
    [2, 3, 1],
    [5, 2, 3],
    [4, 2, 2],
    [0, 7, 0],
  ])("of %i by %i, rounded half up, is %i", (numerator, denominator, expected) => {
    expect(divideHalfUp(numerator, denominator)).toBe(expected);
  });

  it("is exact or not done at all", () => {
    const largest = (Number.MAX_SAFE_INTEGER - 1) / 2;
    expect(divideHalfUp(largest, 1)).toBe(largest);
    expect(() => divideHalfUp(largest + 1, 1)).toThrow("Amount too large for exact arithmetic");
    expect(() => divideHalfUp(largest + 1, 1)).toThrow(RangeError);
  });

  it("gives a percentage, rounded once", () => {
    expect(percentOf(1999, 85)).toBe(1699);
    expect(percentOf(50, 1)).toBe(1);
    expect(percentOf(49, 1)).toBe(0);
  });
});
