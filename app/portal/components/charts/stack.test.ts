import { describe, expect, it } from "vitest";
import type { Series } from "./chart-model.ts";
import { extentOf, layersOf } from "./stack.ts";

const series = (mark: Series["mark"], values: (number | null)[]): Series => ({ label: mark, mark, values, colour: 1 });
const labels = ["a", "b", "c", "d"];
const spansOf = (runs: { i: number; low: number; high: number }[][] | undefined) =>
  runs?.map((run) => run.map(({ i, low, high }) => [i, low, high]));

describe("layersOf", () => {
  it("stacks areas in order, and draws lines at their own values", () => {
    const [base, surcharges, allIn] = layersOf({
      labels,
      series: [series("area", [10, 20, 30, 40]), series("area", [1, 2, 3, 4]), series("line", [11, 22, 33, 44])],
    });
    expect(spansOf(base?.runs)).toEqual([
      [
        [0, 0, 10],
        [1, 0, 20],
        [2, 0, 30],
        [3, 0, 40],
      ],
    ]);
    expect(spansOf(surcharges?.runs)).toEqual([
      [
        [0, 10, 11],
        [1, 20, 22],
        [2, 30, 33],
        [3, 40, 44],
      ],
    ]);
    expect(spansOf(allIn?.runs)?.[0]?.[3]).toEqual([3, 0, 44]);
  });

  it("interrupts a series where a value is missing, and what is stacked on it", () => {
    const [base, surcharges] = layersOf({
      labels,
      series: [series("area", [10, null, 30, 40]), series("area", [1, 2, null, 4])],
    });
    expect(spansOf(base?.runs)).toEqual([
      [[0, 0, 10]],
      [
        [2, 0, 30],
        [3, 0, 40],
      ],
    ]);
    expect(spansOf(surcharges?.runs)).toEqual([[[0, 10, 11]], [[3, 40, 44]]]);
  });

  it("interrupts every series at a gap in time", () => {
    const [line] = layersOf({ labels, series: [series("line", [1, 2, 3, 4])], gaps: [2] });
    expect(line?.runs.map((run) => run.map(({ i }) => i))).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });
});

it("reaches as high as the stack, not as its highest part", () => {
  const layers = layersOf({ labels: ["a"], series: [series("bar", [10]), series("bar", [5])] });
  expect(extentOf(layers)).toEqual({ min: 10, max: 15 });
});
