import { and, asc, desc, eq, gt, gte, lt, type SQLWrapper, sql } from "drizzle-orm";
import { apiKeys, routes, usageDays, usageHours, usageLogs, usageServiceDays } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { addDays, type Day, dayOf } from "../dates.ts";
import type { UsageTotals } from "./usage-record.ts";

export const summedTotals = (table: Record<keyof UsageTotals, SQLWrapper>) => ({
  requests: sql`coalesce(sum(${table.requests}), 0)`.mapWith(Number),
  errors: sql`coalesce(sum(${table.errors}), 0)`.mapWith(Number),
  rateLimited: sql`coalesce(sum(${table.rateLimited}), 0)`.mapWith(Number),
});

/** Limits totals to a time, and to a key or a route. */
export type Within = { from: Date; to: Date; apiKeyId?: number | undefined; routeId?: number | undefined };

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

const isLoggedWithin = (accountId: number, { from, to, apiKeyId, routeId }: Within) =>
  and(
    eq(usageLogs.accountId, accountId),
    gte(usageLogs.occurredAt, from),
    lt(usageLogs.occurredAt, to),
    apiKeyId === undefined ? undefined : eq(usageLogs.apiKeyId, apiKeyId),
    routeId === undefined ? undefined : eq(usageLogs.routeId, routeId),
  );

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
