/**
 * Calendar days in UTC, written `YYYY-MM-DD` so that they sort and compare as strings.
 *
 * @spec Subscription (start_date, end_date)
 */
import { remember } from "../platform/remember.ts";

export type Day = string;

export const millisecondsPerDay = 86_400_000;
const toMs = remember((day: Day) => Date.parse(`${day}T00:00:00Z`));

export const dayOf = (instant: Date): Day => instant.toISOString().slice(0, 10);

export const startOf = (day: Day): Date => new Date(toMs(day));

export const addDays = (day: Day, days: number): Day => dayOf(new Date(toMs(day) + days * millisecondsPerDay));

/** The last day before an end that is exclusive, such as `end_date`: the day that pages and e-mails show. */
export const lastDayOf = (endDate: Day): Day => addDays(endDate, -1);

/** Whole days from `from` to `to`; negative when `to` is earlier. */
export const daysBetween = (from: Day, to: Day): number => Math.round((toMs(to) - toMs(from)) / millisecondsPerDay);

/**
 * The same day of the month, `months` later, clamped to the end of that month. Always count from the original day:
 * 31 Jan + 1 = 28 Feb and 31 Jan + 2 = 31 Mar, whereas 28 Feb + 1 would be 28 Mar.
 */
export const addMonths = (anchor: Day, months: number): Day => {
  const [year, month, dayOfMonth] = anchor.split("-").map(Number) as [number, number, number];
  const monthsSinceZero = year * 12 + (month - 1) + months;
  const lastOfMonth = new Date(Date.UTC(Math.floor(monthsSinceZero / 12), (monthsSinceZero % 12) + 1, 0));
  lastOfMonth.setUTCDate(Math.min(dayOfMonth, lastOfMonth.getUTCDate()));
  return dayOf(lastOfMonth);
};

export const firstOfMonth = (day: Day): Day => `${day.slice(0, 8)}01`;

export const latestOf = (instants: readonly Date[]): Date =>
  new Date(Math.max(...instants.map((instant) => instant.getTime())));

/** An instant in the API's format: ISO 8601 in UTC, always with milliseconds, so that instants sort as text. */
export const isoInstant = (instant: Date): string => instant.toISOString();
