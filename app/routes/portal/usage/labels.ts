/** What the parts of a usage series are called. */
import type { UsagePeriod } from "../../../domain/usage/series.ts";
import { seriesLimits } from "../../../domain/usage/series.ts";
import { formatDay, formatMonth, formatShortDay } from "../../../portal/format.ts";

/** `last 48 hours`: as long as a series is without being asked otherwise. */
export const periodInWords = (period: UsagePeriod): string => `last ${seriesLimits[period].usual} ${period}`;

export const pieceHeader = { hours: "Hour (UTC)", days: "Day (UTC)", months: "Month (UTC)" } as const satisfies Record<
  UsagePeriod,
  string
>;

/** `Thu 14:00`, `30 Nov`, `Nov 2026`: short, and different within a series. */
export const pieceLabel = (period: UsagePeriod, startsAt: string): string => {
  if (period === "hours") return `${weekday.format(new Date(startsAt))} ${timeOf(startsAt).slice(0, 5)}`;
  return period === "days" ? formatShortDay(startsAt) : formatMonth(startsAt);
};

/** `30 Nov 2026, 14:05:09`; requests of one minute are many. */
export const formatSecond = (instant: string): string => `${formatDay(instant)}, ${timeOf(instant)}`;

/** `14:05:09`. */
export const timeOf = (instant: string): string => new Date(instant).toISOString().slice(11, 19);

const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "short", timeZone: "UTC" });
