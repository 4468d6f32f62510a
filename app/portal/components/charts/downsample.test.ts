import { expect, it } from "vitest";
import { downsample } from "./downsample.ts";

const wave = (length: number) => Array.from({ length }, (_, i) => Math.round(1000 * Math.sin(i / 40)));

it("keeps every value of a short series", () => {
  expect(downsample([[3, null, 5]], 400)).toEqual([0, 1, 2]);
  expect(downsample([[]], 400)).toEqual([]);
});

it("keeps the ends and every extreme of each series, in order and within the limit", () => {
  const [first, second] = [wave(5000), wave(5000).map((value) => -value)];
  first[1234] = 9_000;
  first[1236] = -9_000;
  second[4321] = 7_000;
  const kept = downsample([first, second], 400);
  expect(kept.length).toBeLessThanOrEqual(400);
  expect(kept).toEqual(kept.toSorted((a, b) => a - b));
  expect(kept).toEqual(expect.arrayContaining([0, 1234, 1236, 4321, 4999]));
});

it("passes over stretches without a value", () => {
  const values = wave(1000).map((value, i) => (i > 100 && i < 900 ? null : value));
  expect(downsample([values], 100).every((i) => values[i] !== null)).toBe(true);
});
