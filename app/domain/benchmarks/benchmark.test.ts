import { describe, expect, it } from "vitest";
import { benchmarkOf, changePercent, type RouteRate, weekOf } from "./benchmark.ts";

/** `A100 B200`: one rate of carrier A, one of carrier B, in cents. */
const rates = (text: string): RouteRate[] =>
  text.split(" ").map((one) => ({ carrierId: one.charCodeAt(0), allInCents: Number(one.slice(1)) }));

describe("A benchmark", () => {
  it.each([
    ["of five routes", "A100 A110 B120 B130 C140", { lowCents: 110, medianCents: 120, highCents: 130 }],
    ["of six routes", "A100 A110 B120 B130 C140 C150", { lowCents: 110, medianCents: 125, highCents: 140 }],
    ["in any order", "C140 B130 A100 B120 A110", { lowCents: 110, medianCents: 120, highCents: 130 }],
    ["of a few cents", "A10 A12 B12 B15 C16", { lowCents: 11, medianCents: 13, highCents: 14 }],
    ["of equal rates", "A100 A100 B100 B100 C100", { lowCents: 100, medianCents: 100, highCents: 100 }],
  ])("%s", (_, text, expected) => {
    expect(benchmarkOf(rates(text))).toMatchObject(expected);
  });

  it("is rounded to three digits, so that no rate can be calculated from it", () => {
    expect(benchmarkOf(rates("A543712 A551298 B561377 B570144 C588903"))).toEqual({
      lowCents: 552_000,
      medianCents: 561_000,
      highCents: 573_000,
      routeCount: 5,
      carrierCount: 3,
    });
  });

  it.each([
    ["no routes", []],
    ["four routes", rates("A100 B110 C120 D130")],
    ["two carriers", rates("A100 A110 A120 B130 B140 B150")],
    ["a carrier with most of the routes", rates("A100 A110 A120 B130 C140")],
    ["a carrier with nearly all routes", rates("A100 A110 A120 A130 A140 A150 A160 A170 B180 C190")],
  ])("is not published with %s", (_, few) => {
    expect(benchmarkOf(few)).toBeNull();
  });

  it("never has the lowest or the highest rate of a lane as its low or high", () => {
    const benchmark = benchmarkOf(rates("A10000 A90100 B90200 B90300 C99900"));
    expect(benchmark?.lowCents).toBeGreaterThan(10_000);
    expect(benchmark?.highCents).toBeLessThan(99_900);
  });
});

describe("A change", () => {
  it.each([
    [100_000, 110_000, 10],
    [110_000, 100_000, -9.1],
    [100_000, 100_000, 0],
    [null, 100_000, null],
    [100_000, undefined, null],
    [0, 100_000, null],
  ])("from %s to %s is %s percent", (before, now, percent) => {
    expect(changePercent(before, now)).toBe(percent);
  });
});

it.each([
  ["2026-11-16", "2026-11-16"],
  ["2026-11-20", "2026-11-16"],
  ["2026-11-22", "2026-11-16"],
  ["2027-01-01", "2026-12-28"],
])("The week of %s begins on %s", (day, monday) => {
  expect(weekOf(day)).toBe(monday);
});
