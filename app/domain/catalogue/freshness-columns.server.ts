/** The rules of `freshness.ts` in SQL, for queries over periods that join their trade lane. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { periods, reports, tradeLanes } from "#drizzle/schema/index.ts";
import { maxAgeMinutes } from "./freshness.ts";
import type { Freshness } from "./route.ts";

const ofFreshness = (minutesOf: (freshness: Freshness) => SQLWrapper): SQL =>
  sql`case ${periods.freshness} ${sql.join(
    (Object.keys(maxAgeMinutes) as Freshness[]).map(
      (name) => sql`when ${sql.raw(`'${name}'`)} then ${minutesOf(name)}`,
    ),
    sql` `,
  )} end`;

const laneMinutes = {
  real_time: tradeLanes.realTimeMinutes,
  daily: tradeLanes.dailyMinutes,
  weekly: tradeLanes.weeklyMinutes,
} as const satisfies Record<Freshness, SQLWrapper>;

const maxAge = sql<number>`coalesce(${ofFreshness((name) => laneMinutes[name])}, ${ofFreshness((name) => sql.raw(String(maxAgeMinutes[name])))})`;

const dataAsOf: SQL<Date | null> =
  sql`(select max(observed.observed_at) from ${reports} observed where observed.period_id = ${periods.id})`.mapWith(
    reports.observedAt,
  );

export const ageColumns = { dataAsOf, maxAgeMinutes: maxAge };

/** Of an open period. */
export const nextUpdateDue = sql`coalesce(${dataAsOf}, ${periods.startsOn}::timestamp at time zone 'UTC') + ${maxAge} * interval '1 minute'`;

/** @param now an ISO instant, or a placeholder for one */
export const isOpenAt = (
  now: unknown,
): SQL => sql`(${periods.startsOn} <= (${now}::timestamptz at time zone 'UTC')::date
  and (${periods.endsOn} is null or ${periods.endsOn} > (${now}::timestamptz at time zone 'UTC')::date))`;

/** @param now an ISO instant, or a placeholder for one */
export const isStaleAt = (now: unknown): SQL => sql`(${isOpenAt(now)} and ${nextUpdateDue} < ${now}::timestamptz)`;
