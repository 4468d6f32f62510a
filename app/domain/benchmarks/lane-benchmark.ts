/** What a reader sees of a trade lane's benchmark: all of it, or the part that is free. */
import type { Named } from "../catalogue/browse.ts";
import type { CargoType, RateBasis } from "../catalogue/route.ts";
import type { Day } from "../dates.ts";
import { addWeeks, type Benchmark, changePercent } from "./benchmark.ts";
import { freeDelayWeeks, shownWeeks } from "./policy.ts";

export type BenchmarkAccess = "full" | "free";

/** A week of a benchmark. The index is the median, with the first week shown as 100. */
export type BenchmarkWeek = { week: Day; index: number } & (Benchmark | { [Figure in keyof Benchmark]: null });

export type LaneBenchmark = {
  tradeLane: Named;
  cargoType: CargoType;
  /** Empty for cargo other than containers. */
  equipmentType: string;
  basis: RateBasis;
  access: BenchmarkAccess;
  /** The newest week shown has these changes of the median, in percent. Null: unknown, or not free. */
  change: { weeks4: number | null; weeks13: number | null; weeks52: number | null };
  /** Oldest first, never empty. Weeks without a benchmark are missing. */
  weeks: [BenchmarkWeek, ...BenchmarkWeek[]];
};

/** The newest week of a benchmark, for comparisons with rates: the medians' changes are in percent. */
export type Market = Pick<LaneBenchmark, "cargoType" | "equipmentType"> &
  Pick<Benchmark, "lowCents" | "medianCents" | "highCents"> &
  LaneBenchmark["change"] & { tradeLaneId: number; week: Day };

export type StoredWeek = Benchmark & { week: Day };

type Shown = Pick<LaneBenchmark, "change" | "weeks">;

/** @param current the week that has not ended yet */
export const lastShownWeek = (current: Day, access: BenchmarkAccess): Day =>
  addWeeks(current, access === "full" ? -1 : -1 - freeDelayWeeks);

/**
 * The weeks and changes that a reader may see. Null: there are none.
 *
 * @param stored oldest first
 * @param current the week that has not ended yet
 */
export const shownBenchmark = (stored: readonly StoredWeek[], access: BenchmarkAccess, current: Day): Shown | null => {
  const isFull = access === "full";
  const last = lastShownWeek(current, access);
  const first = addWeeks(last, 1 - shownWeeks);
  const [base, ...others] = stored.filter(({ week }) => week >= first && week <= last);
  if (!base) return null;
  const newest = others.at(-1) ?? base;
  const medianOf = (week: Day) => stored.find((one) => one.week === week)?.medianCents;
  const change = (weeks: number) => changePercent(medianOf(addWeeks(newest.week, -weeks)), newest.medianCents);
  const shown = (one: StoredWeek): BenchmarkWeek => ({
    week: one.week,
    index: Math.round((one.medianCents / base.medianCents) * 100),
    ...(isFull ? figuresOf(one) : hidden),
  });
  return {
    change: isFull
      ? { weeks4: change(4), weeks13: change(13), weeks52: change(52) }
      : { weeks4: whole(change(4)), weeks13: null, weeks52: null },
    weeks: [shown(base), ...others.map(shown)],
  };
};

const figuresOf = ({ lowCents, medianCents, highCents, routeCount, carrierCount }: Benchmark): Benchmark => ({
  lowCents,
  medianCents,
  highCents,
  routeCount,
  carrierCount,
});

const hidden = { lowCents: null, medianCents: null, highCents: null, routeCount: null, carrierCount: null };

/** Without the sign of a negative zero. */
const whole = (percent: number | null): number | null => percent && Math.round(percent) + 0;

export const newestWeek = ({ weeks }: Pick<LaneBenchmark, "weeks">): BenchmarkWeek => weeks.at(-1) ?? weeks[0];
