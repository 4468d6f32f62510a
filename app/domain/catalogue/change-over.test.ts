import { describe, expect, it } from "vitest";
import { addDays } from "../dates.ts";
import { changesOver, gapsIn, type Observation } from "./change-over.ts";

const on = (day: string, value: number): Observation => ({ on: day, value });
const spans = (observations: Observation[], tolerance = 7) =>
  Object.fromEntries(changesOver(observations, tolerance).map(({ span, ...change }) => [span, change]));

describe("changesOver", () => {
  it("compares the newest observation with those of 4 weeks, a quarter and a year before", () => {
    const changes = spans([
      on("2025-11-16", 2000),
      on("2026-08-16", 2500),
      on("2026-10-19", 4000),
      on("2026-11-16", 3000),
    ]);
    expect(changes["4_weeks"]).toEqual({ from: on("2026-10-19", 4000), difference: -1000, percent: -25 });
    expect(changes.quarter).toEqual({ from: on("2026-08-16", 2500), difference: 500, percent: 20 });
    expect(changes.year).toEqual({ from: on("2025-11-16", 2000), difference: 1000, percent: 50 });
  });

  it("takes the last observation before that day, if it is recent enough", () => {
    const observations = [on("2026-10-12", 100), on("2026-10-20", 150), on("2026-11-16", 110)];
    expect(spans(observations)["4_weeks"]).toMatchObject({ from: on("2026-10-12", 100), percent: 10 });
    expect(spans(observations, 6)["4_weeks"]).toEqual({ from: null, difference: null, percent: null });
  });

  it("states no change without an earlier observation", () => {
    expect(spans([on("2026-11-16", 110)]).year).toEqual({ from: null, difference: null, percent: null });
    expect(changesOver([], 7)).toEqual([]);
  });

  it("states no percentage of zero", () => {
    expect(spans([on("2026-10-19", 0), on("2026-11-16", 5)])["4_weeks"]).toEqual({
      ...{ from: on("2026-10-19", 0), difference: 5, percent: null },
    });
  });
});

describe("gapsIn", () => {
  const weekly = (weeks: readonly number[]) => weeks.map((week) => addDays("2026-01-05", week * 7));

  it("finds observations after more than twice the usual interval", () => {
    expect(gapsIn(weekly([0, 1, 2, 3, 6, 7]))).toEqual([4]);
    expect(gapsIn(weekly([0, 1, 2, 4, 5]))).toEqual([]);
  });

  it("adapts to the interval of the series", () => {
    expect(gapsIn(weekly([0, 4, 8, 13, 17]))).toEqual([]);
  });

  it("is not misled by days with many observations", () => {
    expect(gapsIn([...weekly([0, 1, 2, 3]), ...Array.from({ length: 48 }, () => "2026-01-27")])).toEqual([]);
  });

  it("finds none in a short series", () => {
    expect(gapsIn([])).toEqual([]);
    expect(gapsIn(["2026-01-05"])).toEqual([]);
  });
});
