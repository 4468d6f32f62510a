/** Benchmarks of trade lanes for pages. */
import { type LaneBenchmark, newestWeek } from "../domain/benchmarks/lane-benchmark.ts";
import { equipmentName, usualEquipmentType } from "../domain/catalogue/equipment.ts";
import { formatWord } from "./format.ts";

export type BenchmarkView = ReturnType<typeof benchmarkView>;

export const benchmarkView = (benchmark: LaneBenchmark) => ({
  key: keyOf(benchmark),
  tradeLane: benchmark.tradeLane,
  /** `40′ high cube (45G1)`, or `Bulk` for other cargo. */
  cargo: benchmark.equipmentType ? equipmentName(benchmark.equipmentType) : formatWord(benchmark.cargoType),
  basis: benchmark.basis,
  access: benchmark.access,
  change: benchmark.change,
  weeks: benchmark.weeks,
  newest: newestWeek(benchmark),
});

const keyOf = ({ equipmentType, cargoType }: LaneBenchmark): string => equipmentType || cargoType;

/** All of them as tabs, and the chosen one in full: a page sends one series only. */
export const chosenBenchmark = (benchmarks: readonly LaneBenchmark[], chosen: string | null) => {
  const [first] = benchmarks;
  const one = benchmarks.find((benchmark) => keyOf(benchmark) === chosen) ?? benchmarks.find(isUsual) ?? first;
  if (!one) return null;
  const shown = benchmarkView(one);
  const choices = benchmarks.map((benchmark) => ({ key: keyOf(benchmark), label: benchmarkView(benchmark).cargo }));
  return { ...shown, choices };
};

export type ChosenBenchmark = NonNullable<ReturnType<typeof chosenBenchmark>>;

const isUsual = ({ equipmentType }: LaneBenchmark): boolean => equipmentType === usualEquipmentType;
