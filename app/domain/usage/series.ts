/** Time cut into hours, days or months of UTC, none left out. @spec Endpoints (GET /subscriptions/api-call-usage) */
import { invalid } from "../errors.ts";
import type { UsageTotals } from "./usage-record.ts";

export const usagePeriods = ["hours", "days", "months"] as const;
export type UsagePeriod = (typeof usagePeriods)[number];

/** `usual`: how many pieces without a `from`; `most`: how many at most. */
export const seriesLimits = {
  hours: { usual: 48, most: 31 * 24, mostInWords: "31 days" },
  days: { usual: 30, most: 400, mostInWords: "400 days" },
  months: { usual: 12, most: 60, mostInWords: "60 months" },
} as const satisfies Record<UsagePeriod, { usual: number; most: number; mostInWords: string }>;

export type SeriesRequest = { period: UsagePeriod; from?: Date | undefined; to?: Date | undefined };

/** Whole pieces: `from` is the start of the first one, `to` the end of the last one. */
export type SeriesRange = { from: Date; to: Date; starts: Date[] };

/**
 * The pieces that `from` and `to` touch; without them the latest, up to the one that `now` is in.
 *
 * @throws invalid for an empty range and for one that is too long
 */
export const seriesRange = ({ period, ...asked }: SeriesRequest, now: Date): SeriesRange => {
  const { usual, most, mostInWords } = seriesLimits[period];
  const to = asked.to ? endOf(period, asked.to) : moved(period, startOf(period, now), 1);
  const from = asked.from ? startOf(period, asked.from) : moved(period, to, -usual);
  if (from >= to) throw invalid("from", "Must be earlier than to, which is now unless it is given");
  const starts: Date[] = [];
  for (let start = from; start < to; start = moved(period, start, 1)) {
    if (starts.length === most) throw invalid("from", `A series of ${period} spans at most ${mostInWords}`);
    starts.push(start);
  }
  return { from, to, starts };
};

export type SeriesPoint = UsageTotals & { startsAt: Date };

/** A point for every start, with zeros where nothing was counted. */
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

/** The instant itself where one piece ends and the next begins. */
const endOf = (period: UsagePeriod, instant: Date): Date => {
  const start = startOf(period, instant);
  return start.getTime() === instant.getTime() ? start : moved(period, start, 1);
};

/** So many pieces later, or earlier; from the start of a piece. */
const moved = (period: UsagePeriod, start: Date, count: number): Date => {
  const result = new Date(start);
  if (period === "hours") result.setUTCHours(result.getUTCHours() + count);
  if (period === "days") result.setUTCDate(result.getUTCDate() + count);
  if (period === "months") result.setUTCMonth(result.getUTCMonth() + count);
  return result;
};
