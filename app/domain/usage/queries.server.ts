import { and, asc, desc, eq, gt, gte, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import {
  apiKeys,
  routes,
  usageAccountMonths,
  usageDays,
  usageHours,
  usageLogs,
  usageServiceDays,
} from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { addDays, addMonths, type Day, dayOf, firstOfMonth, millisecondsPerDay, startOf } from "../dates.ts";
import { firstNotSummed } from "./summed-queries.server.ts";
import type { UsageTotals } from "./usage-record.ts";

export const summedTotals = (table: Record<keyof UsageTotals, SQLWrapper>) => ({
  requests: sql`coalesce(sum(${table.requests}), 0)`.mapWith(Number),
  errors: sql`coalesce(sum(${table.errors}), 0)`.mapWith(Number),
  rateLimited: sql`coalesce(sum(${table.rateLimited}), 0)`.mapWith(Number),
});

type Only = { apiKeyId?: number | undefined; routeId?: number | undefined };

/** Limits totals to a time, and to a key or a route. */
export type Within = Only & { from: Date; to: Date };

/** `unsettled`: see `firstUnsettledDay`. */
export type WithinPast = Within & { unsettled: Day };

export const totalsSince = async (db: Tx, accountId: number, since: Date): Promise<UsageTotals> => {
  const [row] = await db
    .select(summedTotals(usageHours))
    .from(usageHours)
    .where(and(eq(usageHours.accountId, accountId), gte(usageHours.hour, since)));
  return row ?? { requests: 0, errors: 0, rateLimited: 0 };
};

export const hasKeyRequests = async (db: Tx, accountId: number): Promise<boolean> => {
  const rows = await db
    .select({ hour: usageHours.hour })
    .from(usageHours)
    .where(and(eq(usageHours.accountId, accountId), gt(usageHours.apiKeyId, 0)))
    .limit(1);
  return rows.length > 0;
};

/** Hours of at least so many requests since an instant, newest first. */
export const busyHoursSince = (db: Tx, accountId: number, since: Date, atLeast: number) => {
  const requests = sql`sum(${usageHours.requests})`.mapWith(Number);
  return db
    .select({ hour: usageHours.hour, requests })
    .from(usageHours)
    .where(and(eq(usageHours.accountId, accountId), gte(usageHours.hour, since)))
    .groupBy(usageHours.hour)
    .having(gte(requests, atLeast))
    .orderBy(desc(usageHours.hour));
};

export const oldestLogAt = async (db: Tx, accountId: number): Promise<Date | null> => {
  const [row] = await db
    .select({ occurredAt: usageLogs.occurredAt })
    .from(usageLogs)
    .where(eq(usageLogs.accountId, accountId))
    .orderBy(asc(usageLogs.occurredAt))
    .limit(1);
  return row?.occurredAt ?? null;
};

export const busiestHourSince = async (db: Tx, accountId: number, since: Date) => {
  const requests = sql`sum(${usageHours.requests})`.mapWith(Number);
  const [row] = await db
    .select({ hour: usageHours.hour, requests })
    .from(usageHours)
    .where(and(eq(usageHours.accountId, accountId), gte(usageHours.hour, since)))
    .groupBy(usageHours.hour)
    .orderBy(desc(requests), desc(usageHours.hour))
    .limit(1);
  return row ?? null;
};

/** From the latest requests of the range, at most `sample`. */
export const durationsWithin = async (db: Tx, accountId: number, within: Within, sample: number) => {
  const latest = db
    .select({ durationMs: usageLogs.durationMs })
    .from(usageLogs)
    .where(isLoggedWithin(accountId, within))
    .orderBy(desc(usageLogs.occurredAt))
    .limit(sample)
    .as("latest");
  const percentile = (fraction: number) =>
    sql<number | null>`percentile_disc(${fraction}::float8) within group (order by ${latest.durationMs})`;
  const [row] = await db.select({ p50: percentile(0.5), p95: percentile(0.95) }).from(latest);
  return row ?? { p50: null, p95: null };
};

const isLoggedWithin = (accountId: number, { from, to, ...only }: Within) =>
  and(isOf(usageLogs, accountId, only), gte(usageLogs.occurredAt, from), lt(usageLogs.occurredAt, to));

/** Requests in the log, one row each. */
export const logged = (db: Tx, accountId: number, within: Within) =>
  db
    .select({
      at: usageLogs.occurredAt,
      endpoint: usageLogs.endpoint,
      apiKeyId: sql`coalesce(${usageLogs.apiKeyId}, 0)`.mapWith(Number).as("used_key_id"),
      routeId: sql`coalesce(${usageLogs.routeId}, 0)`.mapWith(Number).as("used_route_id"),
      requests: usageLogs.requestCost,
      errors: sql<number>`(${usageLogs.status} >= 400 and ${usageLogs.status} <> 429)::int`.as("errors"),
      rateLimited: sql<number>`(${usageLogs.status} = 429)::int`.as("rate_limited"),
    })
    .from(usageLogs)
    .where(isLoggedWithin(accountId, within));

const columnsOf = (table: typeof usageDays | typeof usageAccountMonths) => ({
  at: sql`${table.lastAt}`.mapWith(usageDays.lastAt).as("at"),
  endpoint: sql<string>`${table.endpoint}`.as("endpoint"),
  apiKeyId: sql`${table.apiKeyId}`.mapWith(Number).as("used_key_id"),
  routeId: sql`${table.routeId}`.mapWith(Number).as("used_route_id"),
  requests: sql<number>`${table.requests}`.as("requests"),
  errors: sql<number>`${table.errors}`.as("errors"),
  rateLimited: sql<number>`${table.rateLimited}`.as("rate_limited"),
});

/** Daily totals of whole days. `at` is the time of the last request. */
export const countedDays = (db: Tx, accountId: number, { from, to, ...only }: Within) =>
  daysBetween(db, accountId, sql`${firstDayIn(from)}::date`, sql`${dayOf(to)}::date`, only);

const daysBetween = (db: Tx, accountId: number, first: SQL, end: SQL, only: Only) =>
  db
    .select(columnsOf(usageDays))
    .from(usageDays)
    .where(and(isOf(usageDays, accountId, only), gte(usageDays.day, first), lt(usageDays.day, end)));

const isOf = (
  table: typeof usageDays | typeof usageAccountMonths | typeof usageLogs,
  accountId: number,
  { apiKeyId, routeId }: Only,
) =>
  and(
    eq(table.accountId, accountId),
    apiKeyId === undefined ? undefined : eq(table.apiKeyId, apiKeyId),
    routeId === undefined ? undefined : eq(table.routeId, routeId),
  );

/** The same from the totals of months, as far as they are summed up, and of the days before and after them. */
export const countedMonthsAndDays = (db: Tx, accountId: number, { from, to, unsettled, ...only }: WithinPast) => {
  const firstDay = firstDayIn(from);
  const endDay = dayOf(to);
  const firstMonth = firstMonthIn(firstDay);
  const endMonth = firstOfMonth(endDay < unsettled ? endDay : unsettled);
  const day = (text: Day) => sql`${text}::date`;
  const endOfSummed = sql`least(${day(endMonth)}, ${firstNotSummed("months")})`;
  const { month } = usageAccountMonths;
  const months = db
    .select(columnsOf(usageAccountMonths))
    .from(usageAccountMonths)
    .where(and(isOf(usageAccountMonths, accountId, only), gte(month, day(firstMonth)), lt(month, endOfSummed)));
  const before = daysBetween(db, accountId, day(firstDay), sql`least(${day(firstMonth)}, ${day(endDay)})`, only);
  const after = daysBetween(db, accountId, sql`greatest(${day(firstMonth)}, ${endOfSummed})`, day(endDay), only);
  return months.unionAll(before).unionAll(after);
};

/** The first day that begins in a range. */
export const firstDayIn = (from: Date): Day => dayOf(new Date(from.getTime() + millisecondsPerDay - 1));

/** The first month that begins on a day or after it. */
const firstMonthIn = (day: Day): Day => (firstOfMonth(day) === day ? day : addMonths(firstOfMonth(day), 1));

/**
 * What was used in a range. Whole days are read from the totals of days and months; only the rest of an hourly range, at
 * most a day at each end, from the log.
 */
const usedWithin = (db: Tx, accountId: number, within: WithinPast) => {
  const [firstDay, endDay] = [startOf(firstDayIn(within.from)), startOf(dayOf(within.to))];
  const before = logged(db, accountId, { ...within, to: earlier(within.to, firstDay) });
  const after = logged(db, accountId, { ...within, from: later(firstDay, endDay) });
  return countedMonthsAndDays(db, accountId, within).unionAll(before).unionAll(after).as("used");
};

export type RouteTotals = UsageTotals & { id: number; code: string; name: string };

export type TotalsWithin = {
  /** By path template, most requested first. */
  endpoints: (UsageTotals & { endpoint: string })[];
  /** Most active first. `id` and `name` are null for bearer tokens; a deleted key has the name it had when it was last used. */
  keys: (UsageTotals & { id: number | null; name: string | null })[];
  /** Most requested first. Requests about no route are left out. */
  routes: RouteTotals[];
};

/** Totals by endpoint, by key and by route, from one pass over the rows. */
export const totalsWithin = async (db: Tx, accountId: number, within: WithinPast): Promise<TotalsWithin> => {
  const rows = usedWithin(db, accountId, within);
  const { requests, errors, rateLimited } = summedTotals(rows);
  const used = db
    .select({
      by: sql<string>`case when grouping(${rows.endpoint}) = 0 then 'endpoint' when grouping(${rows.apiKeyId}) = 0 then 'key'
        else 'route' end`.as("by"),
      endpoint: rows.endpoint,
      apiKeyId: sql`nullif(${rows.apiKeyId}, 0)`.mapWith(usageHours.apiKeyId).as("key_id"),
      routeId: sql`${rows.routeId}`.mapWith(Number).as("route_id"),
      requests: requests.as("requests"),
      errors: errors.as("errors"),
      rateLimited: rateLimited.as("rate_limited"),
      lastAt: sql`max(${rows.at})`.as("last_at"),
    })
    .from(rows)
    .groupBy(sql`grouping sets ((${rows.endpoint}), (${rows.apiKeyId}), (${rows.routeId}))`)
    .as("totals");
  const nameInLog = sql`(
    select ${usageLogs.apiKeyName} from ${usageLogs}
    where ${usageLogs.accountId} = ${accountId} and ${usageLogs.apiKeyId} = ${used.apiKeyId}
      and ${usageLogs.occurredAt} <= ${used.lastAt}
    order by ${usageLogs.occurredAt} desc limit 1)`;
  const found = await db
    .select({
      by: used.by,
      endpoint: used.endpoint,
      keyId: used.apiKeyId,
      keyName: sql<string | null>`case when ${used.apiKeyId} is not null
        then coalesce(${apiKeys.name}, ${nameInLog}, 'Deleted key') end`,
      route: { id: routes.id, code: routes.code, name: routes.name },
      totals: { requests: used.requests, errors: used.errors, rateLimited: used.rateLimited },
    })
    .from(used)
    .leftJoin(apiKeys, eq(apiKeys.id, used.apiKeyId))
    .leftJoin(routes, eq(routes.id, used.routeId))
    .orderBy(desc(used.requests), asc(used.endpoint), asc(used.apiKeyId), asc(used.routeId));
  return {
    endpoints: found.flatMap(({ by, endpoint, totals }) => (by === "endpoint" ? [{ endpoint, ...totals }] : [])),
    keys: found.flatMap(({ by, keyId, keyName, totals }) =>
      by === "key" ? [{ id: keyId, name: keyName, ...totals }] : [],
    ),
    routes: found.flatMap(({ by, route, totals }) => (by === "route" && route ? [{ ...route, ...totals }] : [])),
  };
};

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
const later = (a: Date, b: Date): Date => (a > b ? a : b);

/** By day, key, route and endpoint, oldest first. */
export const totalsByDay = (db: Tx, accountId: number, { from, to, apiKeyId, routeId }: Within) =>
  db
    .select({
      day: usageDays.day,
      endpoint: usageDays.endpoint,
      apiKeyId: sql`nullif(${usageDays.apiKeyId}, 0)`.mapWith(usageDays.apiKeyId),
      apiKeyName: apiKeys.name,
      routeId: sql`nullif(${usageDays.routeId}, 0)`.mapWith(usageDays.routeId),
      routeCode: routes.code,
      requests: usageDays.requests,
      errors: usageDays.errors,
      rateLimited: usageDays.rateLimited,
    })
    .from(usageDays)
    .leftJoin(apiKeys, eq(apiKeys.id, usageDays.apiKeyId))
    .leftJoin(routes, eq(routes.id, usageDays.routeId))
    .where(
      and(
        eq(usageDays.accountId, accountId),
        gte(usageDays.day, dayOf(from)),
        lt(usageDays.day, dayOf(to)),
        apiKeyId === undefined ? undefined : eq(usageDays.apiKeyId, apiKeyId),
        routeId === undefined ? undefined : eq(usageDays.routeId, routeId),
      ),
    )
    .orderBy(asc(usageDays.day), asc(usageDays.apiKeyId), asc(usageDays.routeId), asc(usageDays.endpoint));

// ── All accounts ───────────────────────────────────────────────────────────────────────────

export const lastServiceDay = async (db: Tx): Promise<Day | null> => {
  const [row] = await db
    .select({ day: usageServiceDays.day })
    .from(usageServiceDays)
    .orderBy(desc(usageServiceDays.day))
    .limit(1);
  return row?.day ?? null;
};

/** From `from` until before `to`, only days with requests. */
export const countServiceDays = (db: Tx, from: Day, to: Day) =>
  db
    .select({
      day: usageDays.day,
      accounts: sql<number>`count(distinct ${usageDays.accountId})::int`,
      ...summedTotals(usageDays),
    })
    .from(usageDays)
    .where(and(gte(usageDays.day, from), lt(usageDays.day, to)))
    .groupBy(usageDays.day);

/** Always writes the last day, even without requests, to mark it as done. @returns how many days were written */
export const insertServiceDays = (db: Tx, from: Day, to: Day): Promise<number> =>
  db.transaction(async (tx) => {
    const counted = await countServiceDays(tx, from, to);
    const yesterday = addDays(to, -1);
    const nothing = { day: yesterday, accounts: 0, requests: 0, errors: 0, rateLimited: 0 };
    const rows = counted.some(({ day }) => day === yesterday) || from > yesterday ? counted : [...counted, nothing];
    if (rows.length === 0) return 0;
    const written = await tx
      .insert(usageServiceDays)
      .values(rows)
      .onConflictDoNothing()
      .returning({ day: usageServiceDays.day });
    return written.length;
  });

export const serviceDaysFrom = (db: Tx, from: Day) =>
  db.select().from(usageServiceDays).where(gte(usageServiceDays.day, from));
