/** Totals by hour, day or month. */
import { and, gte, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { usageAccountDays, usageHours } from "#drizzle/schema/index.ts";
import { batchByKey } from "../../platform/batch-by-key.server.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { type Day, dayOf } from "../dates.ts";
import { summedTotals } from "./queries.server.ts";
import type { SeriesPoint, UsagePeriod } from "./series.ts";
import { firstNotSummed } from "./summed-columns.server.ts";
import { firstDayIn, totalsOfRoute, type WithinPast } from "./used-queries.server.ts";

/** Only hours, days or months with requests. */
export const totalsByPeriod = (
  db: Tx,
  accountId: number,
  period: UsagePeriod,
  filter: WithinPast,
): Promise<SeriesPoint[]> =>
  filter.routeId === undefined
    ? totalsOfAccount(db, accountId, period, filter)
    : totalsOfRoute(db, accountId, period, filter);

const totalsOfAccount = (
  db: Tx,
  accountId: number,
  period: UsagePeriod,
  { from, to, apiKeyId, unsettled }: Omit<WithinPast, "routeId">,
): Promise<SeriesPoint[]> => {
  const days = { firstDay: firstDayIn(from), endDay: dayOf(to) < unsettled ? dayOf(to) : unsettled };
  const times = { from: from.toISOString(), to: to.toISOString() };
  return totalsOfAccounts(db, [accountId], period, { ...times, ...days, apiKeyId: apiKeyId ?? null });
};

type Range = {
  from: string;
  to: string;
  /** Of these days, those that are summed up are read from the daily totals. */
  firstDay: Day;
  /** Exclusive. */
  endDay: Day;
  apiKeyId: number | null;
};

const totalsOfAccounts = batchByKey(
  (db, accountIds, period: UsagePeriod, range: Range) => statementsOf(db)[period].execute({ accountIds, ...range }),
  ({ accountId }) => accountId,
);

const given = {
  from: sql.placeholder("from"),
  to: sql.placeholder("to"),
  firstDay: sql`${sql.placeholder("firstDay")}::date`,
  endDay: sql`${sql.placeholder("endDay")}::date`,
  apiKeyId: sql`${sql.placeholder("apiKeyId")}::integer`,
};

const isOfAccounts = (table: { accountId: SQLWrapper; apiKeyId: SQLWrapper }): SQL =>
  sql`${table.accountId} = any(${sql.placeholder("accountIds")}::integer[])
    and (${given.apiKeyId} is null or ${table.apiKeyId} = ${given.apiKeyId})`;

const hoursWithin = (db: Tx, from: SQLWrapper, to: SQLWrapper) =>
  db
    .select({
      accountId: usageHours.accountId,
      at: sql`${usageHours.hour}`.mapWith(usageHours.hour).as("at"),
      requests: usageHours.requests,
      errors: usageHours.errors,
      rateLimited: usageHours.rateLimited,
    })
    .from(usageHours)
    .where(and(isOfAccounts(usageHours), gte(usageHours.hour, from), lt(usageHours.hour, to)));

const startOfDay = (day: SQLWrapper) => sql`(${day})::timestamp at time zone 'UTC'`;

/** Days that are summed up, and the hours before and after them. */
const daysAndHours = (db: Tx) => {
  const endOfSummed = sql`least(${given.endDay}, ${firstNotSummed("days")})`;
  const days = db
    .select({
      accountId: usageAccountDays.accountId,
      at: startOfDay(usageAccountDays.day).mapWith(usageHours.hour).as("at"),
      requests: usageAccountDays.requests,
      errors: usageAccountDays.errors,
      rateLimited: usageAccountDays.rateLimited,
    })
    .from(usageAccountDays)
    .where(
      and(
        isOfAccounts(usageAccountDays),
        gte(usageAccountDays.day, given.firstDay),
        lt(usageAccountDays.day, endOfSummed),
      ),
    );
  const before = hoursWithin(db, given.from, sql`least(${given.to}, ${startOfDay(given.firstDay)})`);
  const after = hoursWithin(db, startOfDay(sql`greatest(${given.firstDay}, ${endOfSummed})`), given.to);
  return days.unionAll(before).unionAll(after);
};

const statementsOf = perDatabase((db) => {
  const statementFor = (
    period: UsagePeriod,
    used: ReturnType<typeof daysAndHours> | ReturnType<typeof hoursWithin>,
    startOf: (at: SQLWrapper) => SQL,
  ) => {
    const rows = used.as("used");
    return db
      .select({
        accountId: rows.accountId,
        startsAt: startOf(rows.at).mapWith(usageHours.hour),
        ...summedTotals(rows),
      })
      .from(rows)
      .groupBy(sql`1, 2`)
      .prepare(`totals_of_${period}`);
  };
  // In UTC, where days have no exceptions. `date_bin` takes half the time of `date_trunc`, but knows no months.
  return {
    hours: statementFor("hours", hoursWithin(db, given.from, given.to), (at) => sql`${at}`),
    days: statementFor("days", daysAndHours(db), (at) => sql`date_bin('1 day', ${at}, '2000-01-01T00:00:00Z')`),
    months: statementFor("months", daysAndHours(db), (at) => sql`date_trunc('month', ${at}, 'UTC')`),
  };
});
