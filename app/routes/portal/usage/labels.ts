/** What the parts of a usage series are called. */
import type { UsagePeriod } from "../../../domain/usage/series.ts";
import { seriesLimits } from "../../../domain/usage/series.ts";
import { formatMonth, formatShortDay, formatWeekdayTime } from "../../../portal/format.ts";

/** `last 48 hours`: as long as a series is without being asked otherwise. */
export const periodInWords = (period: UsagePeriod): string => `last ${seriesLimits[period].usual} ${period}`;

export const pieceHeader = { hours: "Hour (UTC)", days: "Day (UTC)", months: "Month (UTC)" } as const satisfies Record<
  UsagePeriod,
  string
>;

/** `Thu 14:00`, `30 Nov`, `Nov 2026`: short, and different within a series. */
export const pieceLabel = (period: UsagePeriod, startsAt: string): string => {
  if (period === "hours") return formatWeekdayTime(startsAt);
  return period === "days" ? formatShortDay(startsAt) : formatMonth(startsAt);
};
