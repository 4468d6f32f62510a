/** What was used in a range: by endpoint, key and route, and of a route over time. Statements are prepared once. */
import { and, asc, desc, eq, gte, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { apiKeys, routes, usageAccountMonths, usageDays, usageHours, usageLogs } from "#drizzle/schema/index.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { statement } from "../../platform/statement.server.ts";
import { addMonths, type Day, dayOf, firstOfMonth, millisecondsPerDay } from "../dates.ts";
import { summedTotals, type Within } from "./queries.server.ts";
import type { SeriesPoint, UsagePeriod } from "./series.ts";
import { firstNotSummed } from "./summed-columns.server.ts";
import type { UsageTotals } from "./usage-record.ts";

/** `unsettled`: see `firstUnsettledDay`. */
export type WithinPast = Within & { unsettled: Day };

/** Hides a parameter's value from PostgreSQL, which would plan the statement anew for each value. */
const hidden = (name: keyof ReturnType<typeof valuesOf>, type: string): SQL =>
  sql`(select ${sql.placeholder(name)}::${sql.raw(type)})`;

const given = {
  accountId: hidden("accountId", "integer"),
  apiKeyId: hidden("apiKeyId", "integer"),
  routeId: hidden("routeId", "integer"),
  from: hidden("from", "timestamptz"),
  to: hidden("to", "timestamptz"),
  firstDay: hidden("firstDay", "date"),
  endDay: hidden("endDay", "date"),
  firstMonth: hidden("firstMonth", "date"),
  endSettled: hidden("endSettled", "date"),
  endMonth: hidden("endMonth", "date"),
};

/** Whole days are from `firstDay` until before `endDay`. Those before `endSettled` may be summed up, by months from `firstMonth` on. */
const valuesOf = (accountId: number, { from, to, unsettled, apiKeyId, routeId }: WithinPast) => {
  const [firstDay, endDay] = [firstDayIn(from), dayOf(to)];
  const endSettled = endDay < unsettled ? endDay : unsettled;
  return {
    accountId,
    apiKeyId: apiKeyId ?? null,
    routeId: routeId ?? null,
    from: from.toISOString(),
    to: to.toISOString(),
    firstDay,
    endDay,
    firstMonth: firstMonthIn(firstDay),
    endSettled,
    endMonth: firstOfMonth(endSettled),
  };
};

/** The first day that begins in a range. */
export const firstDayIn = (from: Date): Day => dayOf(new Date(from.getTime() + millisecondsPerDay - 1));

/** The first month that begins on a day or after it. */
const firstMonthIn = (day: Day): Day => (firstOfMonth(day) === day ? day : addMonths(firstOfMonth(day), 1));

const isGiven = (table: typeof usageDays | typeof usageAccountMonths | typeof usageLogs) =>
  and(
    eq(table.accountId, given.accountId),
    sql`(${given.apiKeyId} is null or ${table.apiKeyId} = ${given.apiKeyId})`,
    sql`(${given.routeId} is null or ${table.routeId} = ${given.routeId})`,
  );

/** Requests in the log, one row each. */
const logged = (db: Tx, from: SQLWrapper, to: SQLWrapper) =>
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
    .where(and(isGiven(usageLogs), gte(usageLogs.occurredAt, from), lt(usageLogs.occurredAt, to)));

const columnsOf = (table: typeof usageDays | typeof usageAccountMonths) => ({
  at: sql`${table.lastAt}`.mapWith(usageDays.lastAt).as("at"),
  endpoint: sql<string>`${table.endpoint}`.as("endpoint"),
  apiKeyId: sql`${table.apiKeyId}`.mapWith(Number).as("used_key_id"),
  routeId: sql`${table.routeId}`.mapWith(Number).as("used_route_id"),
  requests: sql<number>`${table.requests}`.as("requests"),
  errors: sql<number>`${table.errors}`.as("errors"),
  rateLimited: sql<number>`${table.rateLimited}`.as("rate_limited"),
});

/** Daily totals. `at` is the time of the last request. */
const countedDays = (db: Tx, first: SQLWrapper, end: SQLWrapper) =>
  db
    .select(columnsOf(usageDays))
    .from(usageDays)
    .where(and(isGiven(usageDays), gte(usageDays.day, first), lt(usageDays.day, end)));

/**
 * The totals of months, as far as they are summed up, and of the days before and after them. The last month is summed up to
 * a day within it, so a range that ends before that day cannot use it.
 */
const countedMonthsAndDays = (db: Tx) => {
  const summedBefore = firstNotSummed("months");
  const endOfSummed = sql`case when ${summedBefore} > ${given.endSettled} then ${given.endMonth} else ${summedBefore} end`;
  const { month } = usageAccountMonths;
  const months = db
    .select(columnsOf(usageAccountMonths))
    .from(usageAccountMonths)
    .where(and(isGiven(usageAccountMonths), gte(month, given.firstMonth), lt(month, endOfSummed)));
  const before = countedDays(db, given.firstDay, sql`least(${given.firstMonth}, ${given.endDay})`);
  const after = countedDays(db, sql`greatest(${given.firstMonth}, ${endOfSummed})`, given.endDay);
  return months.unionAll(before).unionAll(after);
};

const startOf = (day: SQLWrapper) => sql`(${day})::timestamp at time zone 'UTC'`;

/** Also the log, for the rest of an hourly range: at most a day at each end. */
const countedDaysAndLogged = (db: Tx) => {
  const before = logged(db, given.from, sql`least(${given.to}, ${startOf(given.firstDay)})`);
  const after = logged(db, sql`greatest(${startOf(given.firstDay)}, ${startOf(given.endDay)})`, given.to);
  return countedMonthsAndDays(db).unionAll(before).unionAll(after);
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
  const found = await totalsWithinIn(db)[areWholeDays(within) ? "days" : "hours"].execute(valuesOf(accountId, within));
  const keys = found.filter(({ by }) => by === "key");
  const nameless = keys.flatMap(({ keyId, keyName, lastAt }) =>
    keyId === null || keyName !== null ? [] : [{ keyId, lastAt }],
  );
  const [keyIds, lastAts] = [nameless.map(({ keyId }) => keyId), nameless.map(({ lastAt }) => lastAt)];
  const lastNames = keyIds.length === 0 ? [] : await lastNamesOf(db, { accountId, keyIds, lastAts });
  const nameOf = (id: number) => lastNames.find(({ keyId }) => keyId === id)?.name ?? "Deleted key";
  return {
    endpoints: found.flatMap(({ by, endpoint, totals }) => (by === "endpoint" ? [{ endpoint, ...totals }] : [])),
    keys: keys.map(({ keyId: id, keyName, totals }) => ({
      id,
      name: id === null ? null : (keyName ?? nameOf(id)),
      ...totals,
    })),
    routes: found.flatMap(({ by, route, totals }) => (by === "route" && route ? [{ ...route, ...totals }] : [])),
  };
};

const areWholeDays = ({ from, to }: Within) => [from, to].every((end) => end.getTime() % millisecondsPerDay === 0);

/** The names of deleted keys in their last requests. */
const lastNamesOf = statement<
  { keyId: number; name: string | null },
  { accountId: number; keyIds: number[]; lastAts: string[] }
>(
  ({ accountId, keyIds, lastAts }) => sql`
    select used.id as "keyId", (
      select api_key_name from ${usageLogs}
      where account_id = ${accountId}::integer and api_key_id = used.id and occurred_at <= used.last_at
      order by occurred_at desc limit 1
    ) as name
    from unnest((select ${keyIds}::integer[]), (select ${lastAts}::timestamptz[])) as used (id, last_at)`,
);

const totalsWithinIn = perDatabase((db) => {
  const statementFor = (name: string, from: ReturnType<typeof countedMonthsAndDays>) => {
    const rows = from.as("used");
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
        lastAt: sql<string>`max(${rows.at})`.as("last_at"),
      })
      .from(rows)
      .groupBy(sql`grouping sets ((${rows.endpoint}), (${rows.apiKeyId}), (${rows.routeId}))`)
      .as("totals");
    return db
      .select({
        by: used.by,
        endpoint: used.endpoint,
        keyId: used.apiKeyId,
        keyName: apiKeys.name,
        lastAt: used.lastAt,
        route: { id: routes.id, code: routes.code, name: routes.name },
        totals: { requests: used.requests, errors: used.errors, rateLimited: used.rateLimited },
      })
      .from(used)
      .leftJoin(apiKeys, eq(apiKeys.id, used.apiKeyId))
      .leftJoin(routes, eq(routes.id, used.routeId))
      .orderBy(desc(used.requests), asc(used.endpoint), asc(used.apiKeyId), asc(used.routeId))
      .prepare(name);
  };
  return {
    days: statementFor("totals_within_days", countedMonthsAndDays(db)),
    hours: statementFor("totals_within_hours", countedDaysAndLogged(db)),
  };
});

/** The totals of a route. Hours are counted in the log, as the totals by route are daily. */
export const totalsOfRoute = (
  db: Tx,
  accountId: number,
  period: UsagePeriod,
  within: WithinPast,
): Promise<SeriesPoint[]> => totalsOfRouteIn(db)[period].execute(valuesOf(accountId, within));

const totalsOfRouteIn = perDatabase((db) => {
  const statementFor = (
    unit: string,
    used: ReturnType<typeof logged> | ReturnType<typeof countedDays> | ReturnType<typeof countedMonthsAndDays>,
  ) => {
    const rows = used.as("used");
    return db
      .select({
        startsAt: sql`date_trunc('${sql.raw(unit)}', ${rows.at}, 'UTC')`.mapWith(usageHours.hour),
        ...summedTotals(rows),
      })
      .from(rows)
      .groupBy(sql`1`)
      .prepare(`totals_of_route_by_${unit}`);
  };
  return {
    hours: statementFor("hour", logged(db, given.from, given.to)),
    days: statementFor("day", countedDays(db, given.firstDay, given.endDay)),
    months: statementFor("month", countedMonthsAndDays(db)),
  };
});
