import { describe, expect, it } from "vitest";
import { convertHalfUp, inMinorUnits, minorUnits } from "./money.ts";

describe("A written amount", () => {
  it.each([
    ["4310", "USD", 431_000],
    ["4310.5", "USD", 431_050],
    ["0.07", "USD", 7],
    ["4310.500", "USD", 431_050],
    ["4310.505", "USD", null],
    ["14500", "JPY", 14_500],
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
