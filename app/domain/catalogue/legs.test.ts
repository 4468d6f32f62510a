import { expect, it } from "vitest";
import { chained, type LonLat, legsOf, withoutLooseEnds } from "./legs.ts";

const [a, b, c, d]: LonLat[] = [
  [0, 0],
  [1, 0],
  [2, 0],
  [2, 1],
];
const way = (...points: (LonLat | undefined)[]) => points.filter((point) => point !== undefined);

it("counts the routes on each leg in both directions", () => {
  const legs = legsOf([way(a, b, c), way(c, b, d), way(a, a)]);
  expect(legs.map(({ routes }) => routes)).toEqual([1, 2, 1]);
  expect(legs[1]).toMatchObject({ from: b, to: c });
});

it("joins legs into few lines that draw each leg once", () => {
  const lines = chained(legsOf([way(a, b, c), way(b, d)]));
  expect(lines).toHaveLength(2);
  expect(lines.reduce((sum, line) => sum + line.length - 1, 0)).toBe(3);
  expect(chained([])).toEqual([]);
});

it("drops what leads nowhere, and keeps what ends at a port or continues", () => {
  const legs = legsOf([way(a, b, c, d)]);
  expect(withoutLooseEnds(legs, way(a, d))).toEqual(legs);
  expect(withoutLooseEnds(legs, way(a, c))).toEqual(legs.slice(0, 2));
  expect(withoutLooseEnds(legs, way(a))).toEqual([]);
});
