import { describe, expect, it } from "vitest";
import { axisTicks, labelIndexes } from "./scale.ts";

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

it("spreads labels evenly, starting with the first", () => {
  expect(labelIndexes(30, 6)).toEqual([0, 5, 10, 15, 20, 25]);
  expect(labelIndexes(3, 6)).toEqual([0, 1, 2]);
  expect(labelIndexes(0, 6)).toEqual([]);
});
