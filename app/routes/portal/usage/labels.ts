/** Labels for usage series. */
import type { UsagePeriod } from "#app/domain/usage/series.ts";
import { seriesLimits } from "#app/domain/usage/series.ts";
import { formatMonth, formatShortDay, formatWeekdayHour, formatWeekdayTime } from "#app/portal/format.ts";

/** `last 48 hours`: the default length of a series. */
export const periodInWords = (period: UsagePeriod): string => `last ${seriesLimits[period].usual} ${period}`;

export const pieceHeader = { hours: "Hour (UTC)", days: "Day (UTC)", months: "Month (UTC)" } as const satisfies Record<
  UsagePeriod,
  string
>;

/** The unit of a series: `hour`. */
export const pieceOf = (period: UsagePeriod) => ({ hours: "hour", days: "day", months: "month" })[period];

/** `Thu 14:00`, `30 Nov`, `Nov 2026`: short, and unique within a series. */
export const pieceLabel = (period: UsagePeriod, startsAt: string): string => {
  if (period === "hours") return formatWeekdayTime(startsAt);
  return period === "days" ? formatShortDay(startsAt) : formatMonth(startsAt);
};

/** The label for an axis. Hours stay short with a 12-hour clock, too: `Thu 2 PM`. */
export const axisLabel = (period: UsagePeriod, startsAt: string): string =>
  period === "hours" ? formatWeekdayHour(startsAt) : pieceLabel(period, startsAt);
