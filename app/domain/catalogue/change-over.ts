/** How a series of observations has changed over time. */
import { addDays, addMonths, type Day, daysBetween } from "../dates.ts";

export type Observation = { on: Day; value: number };

/** The spans for which a change is stated. */
export const changeSpans = ["4_weeks", "quarter", "year"] as const;
export type ChangeSpan = (typeof changeSpans)[number];

export type Change = {
  span: ChangeSpan;
  /** The observation that the newest one is compared with. Null: there is none of that time. */
  from: Observation | null;
  /** Newest minus `from`. Null without `from`. */
  difference: number | null;
  /** `difference` in percent of `from`, unrounded. Null without `from`, and if `from` is zero. */
  percent: number | null;
};

/**
 * Compares the newest observation with the last one on or before the same day a span earlier.
 *
 * @param observations oldest first
 * @param toleranceDays an older observation is not taken for one of that day
 */
export const changesOver = (observations: readonly Observation[], toleranceDays: number): Change[] => {
  const newest = observations.at(-1);
  if (!newest) return [];
  return changeSpans.map((span) => {
    const target = spanBefore(newest.on, span);
    const from = observations.findLast(({ on }) => on <= target) ?? null;
    if (!from || daysBetween(from.on, target) > toleranceDays) {
      return { span, from: null, difference: null, percent: null };
    }
    const difference = newest.value - from.value;
    return { span, from, difference, percent: from.value === 0 ? null : (difference / Math.abs(from.value)) * 100 };
  });
};

const spanBefore = (day: Day, span: ChangeSpan): Day => {
  if (span === "4_weeks") return addDays(day, -28);
  return addMonths(day, span === "quarter" ? -3 : -12);
};

/**
 * Indexes of observations that follow a gap: an interval of more than twice the usual one. Observations of the same day
 * or the next do not count for what is usual, because some periods are observed hourly for the last days only.
 *
 * @param days ascending
 */
export const gapsIn = (days: readonly Day[]): number[] => {
  const intervals = days.slice(1).map((day, i) => daysBetween(days[i] ?? day, day));
  const usual = median(intervals.filter((interval) => interval > 1)) ?? 1;
  return intervals.flatMap((interval, i) => (interval > 2 * usual ? [i + 1] : []));
};

const median = (values: readonly number[]): number | null =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? null;
