import { addDays, type Day } from "../dates.ts";

/** What "recent" means in statistics: today (UTC) and the days before it. The API names it in `last_30_days`. */
export const recentDays = 30;

export const firstRecentDay = (today: Day): Day => addDays(today, 1 - recentDays);

/**
 * Days before this one get no more requests: a record is written within moments, and clocks of processes differ by far less
 * than a day.
 */
export const firstUnsettledDay = (today: Day): Day => addDays(today, -1);

/** Statistics name this many routes and keys. */
export const topCount = 5;

/**
 * The percentiles of a range use at most this many of its latest requests, so that the query stays fast for busy accounts.
 * The 95th percentile of 2,000 lies between the 94th and the 96th of all of them with 96 % certainty.
 */
export const durationSample = 2_000;

/** The same for statistics, which programs may read every minute. */
export const recentDurationSample = 250;

/** Filters offer what was used this month or in so many months before it. Whole months are read from their totals. */
export const filterChoiceMonths = 3;

/** The usage page lists the hours of so many days that came close to the limit. */
export const busyHourDays = 7;
