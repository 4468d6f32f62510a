import { sql } from "drizzle-orm";
import { apiKeys, routes, usageDays, usageHours, usageLogs } from "#drizzle/schema/index.ts";
import { batchByKey } from "../../platform/batch-by-key.server.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { type Day, startOf } from "../dates.ts";
import { durationSample, topCount } from "./policy.ts";
import type { UsageTotals } from "./usage-record.ts";

export type RecentUsage = {
  today: UsageTotals;
  lastDays: UsageTotals;
  /** In milliseconds. Null without requests. */
  durationMs: { p50: number | null; p95: number | null };
  topRoutes: { id: number; code: string; name: string; requests: number }[];
  /** Deleted keys included. */
  topKeys: { id: number; name: string; requests: number }[];
};

/**
 * The totals of today and since `firstDay`, the percentiles of the latest requests, and the routes and keys with the most
 * requests. A deleted key has the name it had when it was last used. One statement.
 */
export const recentUsageOf = async (db: Tx, accountId: number, today: Day, firstDay: Day): Promise<RecentUsage> => {
  const [found] = await recentUsage(db, [accountId], today, firstDay);
  if (!found) throw new Error("The statement returned no usage");
  return found;
};

// Column names are plain text: in a select without joins, drizzle writes columns without their table.
const recentUsage = batchByKey(
  (db, accountIds, today: Day, firstDay: Day): Promise<(RecentUsage & { accountId: number })[]> =>
    recentUsageIn(db).execute({
      accountIds,
      today: startOf(today).toISOString(),
      firstDay,
      since: startOf(firstDay).toISOString(),
    }),
  ({ accountId }) => accountId,
);

const recentUsageIn = perDatabase((db) => {
  const recentDays = sql`from ${usageDays} d where d.account_id = account.id and d.day >= ${sql.placeholder("firstDay")}`;
  return db
    .select({
      accountId: sql<number>`account.id`,
      today: totalsSince("today"),
      lastDays: totalsSince("since"),
      durationMs: sql<RecentUsage["durationMs"]>`(
          select json_build_object(
            'p50', percentile_disc(0.5) within group (order by duration_ms),
            'p95', percentile_disc(0.95) within group (order by duration_ms))
          from (
            select l.duration_ms from ${usageLogs} l
            where l.account_id = account.id and l.occurred_at >= ${sql.placeholder("since")}::timestamptz
            order by l.occurred_at desc limit ${durationSample}) latest)`,
      topRoutes: sql<RecentUsage["topRoutes"]>`(
          select coalesce(json_agg(json_build_object('id', id, 'code', code, 'name', name, 'requests', requests)
            order by requests desc, id), '[]')
          from (
            select r.id, r.code, r.name, used.requests
            from (select d.route_id, sum(d.requests) as requests ${recentDays} group by 1) used
            join ${routes} r on r.id = used.route_id
            order by used.requests desc, r.id limit ${topCount}) top)`,
      topKeys: sql<RecentUsage["topKeys"]>`(
          select coalesce(json_agg(json_build_object('id', top.id, 'requests', top.requests,
            'name', coalesce(k.name, (
              select l.api_key_name from ${usageLogs} l
              where l.account_id = account.id and l.api_key_id = top.id and l.occurred_at <= top.last_at
              order by l.occurred_at desc limit 1), 'Deleted key')) order by top.requests desc, top.id), '[]')
          from (
            select d.api_key_id as id, sum(d.requests) as requests, max(d.last_at) as last_at ${recentDays}
              and d.api_key_id > 0
            group by 1 order by 2 desc, 1 limit ${topCount}) top
          left join ${apiKeys} k on k.id = top.id)`,
    })
    .from(sql`unnest(${sql.placeholder("accountIds")}::integer[]) account (id)`)
    .prepare("recent_usage");
});

/** @param instant the name of the parameter */
const totalsSince = (instant: string) => sql<UsageTotals>`(
  select json_build_object(
    'requests', coalesce(sum(h.requests), 0),
    'errors', coalesce(sum(h.errors), 0),
    'rateLimited', coalesce(sum(h.rate_limited), 0))
  from ${usageHours} h where h.account_id = account.id and h.hour >= ${sql.placeholder(instant)}::timestamptz)`;
