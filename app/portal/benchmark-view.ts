/** Benchmarks of trade lanes for pages. */
import { type LaneBenchmark, newestWeek } from "../domain/benchmarks/lane-benchmark.ts";
import { equipmentName, usualEquipmentType } from "../domain/catalogue/equipment.ts";
import { formatWord } from "./format.ts";

/** One of many benchmarks on a page, so its weeks are sent as the indexes that their line needs. */
export const laneMarketView = (benchmark: LaneBenchmark) => {
  const { week, index, medianCents } = newestWeek(benchmark);
  return {
    tradeLane: benchmark.tradeLane,
    cargo: cargoOf(benchmark),
    newest: { week, index, medianCents },
    change4Weeks: benchmark.change.weeks4,
    indexes: benchmark.weeks.map((one) => one.index),
  };
};

export type LaneMarketView = ReturnType<typeof laneMarketView>;

/** `40′ high cube (45G1)`, or `Bulk` for other cargo. */
const cargoOf = ({ equipmentType, cargoType }: LaneBenchmark): string =>
  equipmentType ? equipmentName(equipmentType) : formatWord(cargoType);

const keyOf = ({ equipmentType, cargoType }: LaneBenchmark): string => equipmentType || cargoType;

/** All of them as tabs, and the chosen one in full: a page sends one series only. */
export const chosenBenchmark = (benchmarks: readonly LaneBenchmark[], chosen: string | null) => {
  const [first] = benchmarks;
  const one = benchmarks.find((benchmark) => keyOf(benchmark) === chosen) ?? benchmarks.find(isUsual) ?? first;
  if (!one) return null;
  return {
    key: keyOf(one),
    tradeLane: one.tradeLane,
    cargo: cargoOf(one),
    basis: one.basis,
    access: one.access,
    change: one.change,
    weeks: one.weeks,
    newest: newestWeek(one),
    choices: benchmarks.map((benchmark) => ({ key: keyOf(benchmark), label: cargoOf(benchmark) })),
  };
};

export type ChosenBenchmark = NonNullable<ReturnType<typeof chosenBenchmark>>;

const isUsual = ({ equipmentType }: LaneBenchmark): boolean => equipmentType === usualEquipmentType;
