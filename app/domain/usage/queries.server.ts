import { and, asc, desc, eq, exists, gt, gte, inArray, lt, lte, type SQL, sql } from "drizzle-orm";
import {
  accounts,
  apiKeys,
  routes,
  usageDays,
  usageHours,
  usageLogs,
  usageServiceDays,
} from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { addDays, type Day, dayOf } from "../dates.ts";
import type { Plan } from "../plans/plans.ts";
import type { SeriesPoint, UsagePeriod } from "./series.ts";
import type { UsageFilter, UsageLog } from "./usage-log.ts";
import { totalsOf, type UsageRecord, type UsageTotals } from "./usage-record.ts";

export const insertLogs = (tx: Tx, records: UsageRecord[]) => tx.insert(usageLogs).values(records);

export const addToHours = (tx: Tx, records: UsageRecord[]) => {
  const rows = summed(records, (record) => {
    const hour = new Date(record.occurredAt);
    hour.setUTCMinutes(0, 0, 0);
    return { accountId: record.accountId, hour, apiKeyId: record.apiKeyId ?? 0 };
  });
  return tx
    .insert(usageHours)
    .values(rows)
    .onConflictDoUpdate({
      target: [usageHours.accountId, usageHours.hour, usageHours.apiKeyId],
      set: added(usageHours),
    });
};

export const addToDays = (tx: Tx, records: UsageRecord[]) => {
  const rows = summed(records, (record) => ({
    accountId: record.accountId,
    day: dayOf(record.occurredAt),
    apiKeyId: record.apiKeyId ?? 0,
    endpoint: record.endpoint,
    routeId: record.routeId ?? 0,
  }));
  return tx
    .insert(usageDays)
    .values(rows)
    .onConflictDoUpdate({
      target: [usageDays.accountId, usageDays.day, usageDays.apiKeyId, usageDays.endpoint, usageDays.routeId],
      set: { ...added(usageDays), lastAt: sql`greatest(${usageDays.lastAt}, excluded.last_at)` },
    });
};

const added = (table: typeof usageHours | typeof usageDays) => ({
  requests: sql`${table.requests} + excluded.requests`,
  errors: sql`${table.errors} + excluded.errors`,
  rateLimited: sql`${table.rateLimited} + excluded.rate_limited`,
});

/** Sums by key, sorted by key, so that concurrent writers lock rows in the same order. */
const summed = <Key extends object>(records: UsageRecord[], keyOf: (record: UsageRecord) => Key) => {
  const sums = new Map<string, Key & UsageTotals & { lastAt: Date }>();
  for (const record of records) {
    const key = keyOf(record);
    const id = JSON.stringify(key);
    const { requests, errors, rateLimited } = totalsOf(record.status);
    const sum = sums.get(id) ?? { ...key, requests: 0, errors: 0, rateLimited: 0, lastAt: record.occurredAt };
    sum.requests += requests;
    sum.errors += errors;
    sum.rateLimited += rateLimited;
    if (record.occurredAt > sum.lastAt) sum.lastAt = record.occurredAt;
    sums.set(id, sum);
  }
  return [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
};

/** Newest first, after the cursor `after`. */
export const searchLogs = (
  db: Tx,
  accountId: number,
  filter: UsageFilter,
  page: { limit: number; after: [occurredAtMs: number, id: number] | null },
): Promise<UsageLog[]> =>
  db
    .select({
      id: usageLogs.id,
      occurredAt: usageLogs.occurredAt,
      method: usageLogs.method,
      endpoint: usageLogs.endpoint,
      status: usageLogs.status,
      durationMs: usageLogs.durationMs,
      responseBytes: usageLogs.responseBytes,
      apiKeyId: usageLogs.apiKeyId,
      apiKeyName: usageLogs.apiKeyName,
      routeId: usageLogs.routeId,
      requestId: usageLogs.requestId,
    })
    .from(usageLogs)
    .where(
      and(
        eq(usageLogs.accountId, accountId),
        filter.from && gte(usageLogs.occurredAt, filter.from),
        filter.to && lt(usageLogs.occurredAt, filter.to),
        filter.status === undefined ? undefined : hasStatus(filter.status),
        filter.endpoint === undefined ? undefined : eq(usageLogs.endpoint, filter.endpoint),
        filter.apiKeyId === undefined ? undefined : eq(usageLogs.apiKeyId, filter.apiKeyId),
        filter.routeId === undefined ? undefined : eq(usageLogs.routeId, filter.routeId),
        isWithinUse(db, accountId, filter),
        page.after ? isBehind(page.after) : undefined,
      ),
    )
    .orderBy(desc(usageLogs.occurredAt), desc(usageLogs.id))
    .limit(page.limit);

/** Repeats that the status is not 200, so that the partial index on other statuses applies. */
const hasStatus = (status: number) =>
  and(eq(usageLogs.status, status), status === 200 ? undefined : sql`${usageLogs.status} <> 200`);

/**
 * Limits the search to the time between the first and the last matching request in the totals. A rare combination is
 * not searched for in a whole year, and one that never occurred is not searched for at all.
 */
const isWithinUse = (db: Tx, accountId: number, { endpoint, apiKeyId, routeId }: UsageFilter) => {
  const known = [
    endpoint === undefined ? undefined : eq(usageDays.endpoint, endpoint),
    apiKeyId === undefined ? undefined : eq(usageDays.apiKeyId, apiKeyId),
    routeId === undefined ? undefined : eq(usageDays.routeId, routeId),
  ].filter((condition) => condition !== undefined);
  if (known.length === 0) return undefined;
  const use = (bound: SQL) =>
    db
      .select({ at: bound })
      .from(usageDays)
      .where(and(eq(usageDays.accountId, accountId), ...known));
  return and(
    lte(usageLogs.occurredAt, use(sql`max(${usageDays.lastAt})`)),
    gte(usageLogs.occurredAt, use(sql`min(${usageDays.day})::timestamp at time zone 'UTC'`)),
  );
};

const isBehind = ([occurredAtMs, id]: [number, number]) =>
  sql`(${usageLogs.occurredAt}, ${usageLogs.id}) < (${new Date(occurredAtMs).toISOString()}::timestamptz, ${id}::bigint)`;

const summedTotals = (table: typeof usageHours | typeof usageDays) => ({
  requests: sql`coalesce(sum(${table.requests}), 0)`.mapWith(Number),
  errors: sql`coalesce(sum(${table.errors}), 0)`.mapWith(Number),
  rateLimited: sql`coalesce(sum(${table.rateLimited}), 0)`.mapWith(Number),
});

const unitOf = { hours: "hour", days: "day", months: "month" } as const satisfies Record<UsagePeriod, string>;

/** Only hours, days or months with requests. */
export const totalsByPeriod = (
  db: Tx,
  accountId: number,
  period: UsagePeriod,
  filter: { from: Date; to: Date; apiKeyId?: number | undefined },
): Promise<SeriesPoint[]> =>
  db
    .select({
      startsAt: sql`date_trunc(${unitOf[period]}, ${usageHours.hour}, 'UTC')`.mapWith(usageHours.hour),
      ...summedTotals(usageHours),
    })
    .from(usageHours)
    .where(
      and(
        eq(usageHours.accountId, accountId),
        gte(usageHours.hour, filter.from),
        lt(usageHours.hour, filter.to),
        filter.apiKeyId === undefined ? undefined : eq(usageHours.apiKeyId, filter.apiKeyId),
      ),
    )
    .groupBy(sql`1`);

export const totalsSince = async (db: Tx, accountId: number, since: Date): Promise<UsageTotals> => {
  const [row] = await db
    .select(summedTotals(usageHours))
    .from(usageHours)
    .where(and(eq(usageHours.accountId, accountId), gte(usageHours.hour, since)));
  return row ?? { requests: 0, errors: 0, rateLimited: 0 };
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

/** From the latest requests of the range, at most `sample`. @param range.to exclusive */
export const durationsWithin = async (db: Tx, accountId: number, range: { from: Date; to?: Date }, sample: number) => {
  const latest = db
    .select({ durationMs: usageLogs.durationMs })
    .from(usageLogs)
    .where(
      and(
        eq(usageLogs.accountId, accountId),
        gte(usageLogs.occurredAt, range.from),
        range.to && lt(usageLogs.occurredAt, range.to),
      ),
    )
    .orderBy(desc(usageLogs.occurredAt))
    .limit(sample)
    .as("latest");
  const percentile = (fraction: number) =>
    sql<number | null>`percentile_disc(${fraction}::float8) within group (order by ${latest.durationMs})`;
  const [row] = await db.select({ p50: percentile(0.5), p95: percentile(0.95) }).from(latest);
  return row ?? { p50: null, p95: null };
};

/** The most requested routes. */
export const topRoutes = (db: Tx, accountId: number, since: Day, limit: number) => {
  const { requests } = summedTotals(usageDays);
  return db
    .select({ id: routes.id, code: routes.code, name: routes.name, requests })
    .from(usageDays)
    .innerJoin(routes, eq(routes.id, usageDays.routeId))
    .where(and(eq(usageDays.accountId, accountId), gte(usageDays.day, since)))
    .groupBy(routes.id)
    .orderBy(desc(requests), asc(routes.id))
    .limit(limit);
};

/** The most active keys. A deleted key has the name it had when it was last used. */
export const topKeys = (db: Tx, accountId: number, since: Day, limit: number) => {
  const { requests } = summedTotals(usageDays);
  const top = db
    .select({
      id: usageDays.apiKeyId,
      requests: requests.as("requests"),
      lastAt: sql`max(${usageDays.lastAt})`.as("last_at"),
    })
    .from(usageDays)
    .where(and(eq(usageDays.accountId, accountId), gte(usageDays.day, since), gt(usageDays.apiKeyId, 0)))
    .groupBy(usageDays.apiKeyId)
    .orderBy(desc(requests), asc(usageDays.apiKeyId))
    .limit(limit)
    .as("top");
  const nameInLog = sql`(
    select ${usageLogs.apiKeyName} from ${usageLogs}
    where ${usageLogs.accountId} = ${accountId} and ${usageLogs.apiKeyId} = ${top.id}
      and ${usageLogs.occurredAt} <= ${top.lastAt}
    order by ${usageLogs.occurredAt} desc limit 1)`;
  return db
    .select({
      id: top.id,
      name: sql<string>`coalesce(${apiKeys.name}, ${nameInLog}, 'Deleted key')`,
      requests: top.requests,
    })
    .from(top)
    .leftJoin(apiKeys, eq(apiKeys.id, top.id))
    .orderBy(desc(top.requests), asc(top.id));
};

/** By path template, most requested first. An hourly range is read from the log, any other from the daily totals. */
export const totalsByEndpoint = (
  db: Tx,
  accountId: number,
  { period, from, to }: { period: UsagePeriod; from: Date; to: Date },
): Promise<(UsageTotals & { endpoint: string })[]> =>
  period === "hours"
    ? db
        .select({ endpoint: usageLogs.endpoint, ...countedLogs })
        .from(usageLogs)
        .where(and(eq(usageLogs.accountId, accountId), gte(usageLogs.occurredAt, from), lt(usageLogs.occurredAt, to)))
        .groupBy(usageLogs.endpoint)
        .orderBy(desc(countedLogs.requests), asc(usageLogs.endpoint))
    : db
        .select({ endpoint: usageDays.endpoint, ...summedTotals(usageDays) })
        .from(usageDays)
        .where(and(eq(usageDays.accountId, accountId), gte(usageDays.day, dayOf(from)), lt(usageDays.day, dayOf(to))))
        .groupBy(usageDays.endpoint)
        .orderBy(desc(summedTotals(usageDays).requests), asc(usageDays.endpoint));

const countedLogs = {
  requests: sql`count(*)`.mapWith(Number),
  errors: sql`count(*) filter (where ${usageLogs.status} >= 400 and ${usageLogs.status} <> 429)`.mapWith(Number),
  rateLimited: sql`count(*) filter (where ${usageLogs.status} = 429)`.mapWith(Number),
};

/** By key, most active first. `id` is null for bearer tokens; a deleted key has the name it had when it was last used. */
export const totalsByKey = (
  db: Tx,
  accountId: number,
  { from, to }: { from: Date; to: Date },
): Promise<(UsageTotals & { id: number | null; name: string | null })[]> => {
  const { requests, errors, rateLimited } = summedTotals(usageHours);
  const used = db
    .select({
      apiKeyId: sql`nullif(${usageHours.apiKeyId}, 0)`.mapWith(usageHours.apiKeyId).as("used_key_id"),
      requests: requests.as("requests"),
      errors: errors.as("errors"),
      rateLimited: rateLimited.as("rate_limited"),
      lastHour: sql`max(${usageHours.hour})`.as("last_hour"),
    })
    .from(usageHours)
    .where(and(eq(usageHours.accountId, accountId), gte(usageHours.hour, from), lt(usageHours.hour, to)))
    .groupBy(usageHours.apiKeyId)
    .as("used");
  const nameInLog = sql`(
    select ${usageLogs.apiKeyName} from ${usageLogs}
    where ${usageLogs.accountId} = ${accountId} and ${usageLogs.apiKeyId} = ${used.apiKeyId}
      and ${usageLogs.occurredAt} < ${used.lastHour} + interval '1 hour'
    order by ${usageLogs.occurredAt} desc limit 1)`;
  return db
    .select({
      id: used.apiKeyId,
      name: sql<string | null>`case when ${used.apiKeyId} is not null
        then coalesce(${apiKeys.name}, ${nameInLog}, 'Deleted key') end`,
      requests: used.requests,
      errors: used.errors,
      rateLimited: used.rateLimited,
    })
    .from(used)
    .leftJoin(apiKeys, eq(apiKeys.id, used.apiKeyId))
    .orderBy(desc(used.requests), asc(used.apiKeyId));
};

/** Accounts on the plan that have log records from before the instant. */
export const accountsWithLogsBefore = async (db: Tx, plan: Plan, before: Date): Promise<number[]> => {
  const old = db
    .select({ id: usageLogs.id })
    .from(usageLogs)
    .where(and(eq(usageLogs.accountId, accounts.id), lt(usageLogs.occurredAt, before)));
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.plan, plan), exists(old)))
    .orderBy(asc(accounts.id));
  return rows.map(({ id }) => id);
};

/** Deletes the oldest records, at most `limit`. @returns how many */
export const deleteLogsBefore = async (db: Tx, accountId: number, before: Date, limit: number): Promise<number> => {
  const oldest = db
    .select({ id: usageLogs.id })
    .from(usageLogs)
    .where(and(eq(usageLogs.accountId, accountId), lt(usageLogs.occurredAt, before)))
    .orderBy(asc(usageLogs.occurredAt))
    .limit(limit);
  const { count } = await db.delete(usageLogs).where(inArray(usageLogs.id, oldest));
  return count;
};

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
