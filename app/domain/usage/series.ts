/** Dense time series of hours, days or months, in UTC. @spec Endpoints (GET /subscriptions/api-call-usage) */
import { invalid } from "../errors.ts";
import type { UsageTotals } from "./usage-record.ts";

export const usagePeriods = ["hours", "days", "months"] as const;
export type UsagePeriod = (typeof usagePeriods)[number];

/** `usual`: the number of points without a `from`; `most`: the maximum. */
export const seriesLimits = {
  hours: { usual: 48, most: 31 * 24, mostInWords: "31 days" },
  days: { usual: 30, most: 400, mostInWords: "400 days" },
  months: { usual: 12, most: 60, mostInWords: "60 months" },
} as const satisfies Record<UsagePeriod, { usual: number; most: number; mostInWords: string }>;

export type SeriesRequest = { period: UsagePeriod; from?: Date | undefined; to?: Date | undefined };

/** Whole hours, days or months: `from` starts the first, `to` ends the last. */
export type SeriesRange = { from: Date; to: Date; starts: Date[] };

/**
 * Every hour, day or month that the range touches; without `from` and `to` the latest ones, the current one included.
 *
 * @throws invalid for an empty range and for one that is too long
 */
export const seriesRange = ({ period, ...requested }: SeriesRequest, now: Date): SeriesRange => {
  const { usual, most, mostInWords } = seriesLimits[period];
  const to = requested.to ? endOf(period, requested.to) : moved(period, startOf(period, now), 1);
  const from = requested.from ? startOf(period, requested.from) : moved(period, to, -usual);
  if (from >= to) throw invalid("from", "Must be before the end of the range");
  const starts: Date[] = [];
  for (let start = from; start < to; start = moved(period, start, 1)) {
    if (starts.length === most) throw invalid("from", `A series of ${period} can span at most ${mostInWords}`);
    starts.push(start);
  }
  return { from, to, starts };
};

export type SeriesPoint = UsageTotals & { startsAt: Date };

/** One point per start, with zeros where nothing was counted. */
export const denseSeries = (starts: Date[], counted: SeriesPoint[]): SeriesPoint[] => {
  const byStart = new Map(counted.map((point) => [point.startsAt.getTime(), point]));
  return starts.map((startsAt) => byStart.get(startsAt.getTime()) ?? { startsAt, ...nothing });
};

const nothing: UsageTotals = { requests: 0, errors: 0, rateLimited: 0 };

export const totalOf = (points: UsageTotals[]): UsageTotals =>
  points.reduce(
    (sum, point) => ({
      requests: sum.requests + point.requests,
      errors: sum.errors + point.errors,
      rateLimited: sum.rateLimited + point.rateLimited,
    }),
    nothing,
  );

const startOf = (period: UsagePeriod, instant: Date): Date => {
  const start = new Date(instant);
  start.setUTCMinutes(0, 0, 0);
  if (period !== "hours") start.setUTCHours(0);
  if (period === "months") start.setUTCDate(1);
  return start;
};

/** The end of the hour, day or month that contains the instant; on a boundary, the instant itself. */
const endOf = (period: UsagePeriod, instant: Date): Date => {
  const start = startOf(period, instant);
  return start.getTime() === instant.getTime() ? start : moved(period, start, 1);
};

/** Moves a start by `count` hours, days or months. */
const moved = (period: UsagePeriod, start: Date, count: number): Date => {
  const result = new Date(start);
  if (period === "hours") result.setUTCHours(result.getUTCHours() + count);
  if (period === "days") result.setUTCDate(result.getUTCDate() + count);
  if (period === "months") result.setUTCMonth(result.getUTCMonth() + count);
  return result;
};
