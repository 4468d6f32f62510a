import { describe, expect, it } from "vitest";
import { axisTicks, labelIndexes, zoomedTicks } from "./scale.ts";

describe("axisTicks", () => {
  it.each([
    [0, [0, 1, 2, 3, 4]],
    [3, [0, 1, 2, 3, 4]],
    [9, [0, 3, 6, 9]],
    [87, [0, 25, 50, 75, 100]],
    [1000, [0, 250, 500, 750, 1000]],
    [4182, [0, 2000, 4000, 6000]],
  ])("uses round steps for values up to %i", (maxValue, ticks) => {
    expect(axisTicks(maxValue)).toEqual(ticks);
  });
});

describe("zoomedTicks", () => {
  it.each([
    [2310, 2890, [2200, 2400, 2600, 2800, 3000]],
    [27.5, 29.8, [27, 28, 29, 30]],
    [0, 90, [0, 25, 50, 75, 100]],
    [3000, 3000, [3000, 3020]],
    [0, 0, [0, 1]],
  ])("encloses values from %d to %d with round steps", (minValue, maxValue, ticks) => {
    expect(zoomedTicks(minValue, maxValue)).toEqual(ticks);
  });
});

it("spreads labels evenly, starting with the first", () => {
  expect(labelIndexes(30, 6)).toEqual([0, 5, 10, 15, 20, 25]);
  expect(labelIndexes(3, 6)).toEqual([0, 1, 2]);
  expect(labelIndexes(0, 6)).toEqual([]);
});
