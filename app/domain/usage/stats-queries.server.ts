import { sql } from "drizzle-orm";
import { apiKeys, routes, usageDays, usageLogs } from "#drizzle/schema/index.ts";
import { batchByKey } from "../../platform/batch-by-key.server.ts";
import type { Tx } from "../../platform/db.server.ts";
import { statement } from "../../platform/statement.server.ts";
import { type Day, startOf } from "../dates.ts";
import { recentDurationSample, topCount } from "./policy.ts";
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
 * requests. One statement, and one more for deleted keys, which have the name they had when they were last used.
 */
export const recentUsageOf = async (db: Tx, accountId: number, today: Day, firstDay: Day): Promise<RecentUsage> => {
  const [found] = await recentUsage(db, [accountId], today, firstDay);
  if (!found) throw new Error("The statement returned no usage");
  const deleted = found.topKeys.filter(({ name }) => name === null);
  const names = deleted.length === 0 ? null : await lastNamesOf(db, accountId, deleted);
  return {
    ...found,
    topKeys: found.topKeys.map(({ lastAt: _, ...key }) => ({
      ...key,
      name: key.name ?? names?.get(key.id) ?? "Deleted key",
    })),
  };
};

/** From the log, by the key's id. Keys whose records are past their retention are missing. */
const lastNamesOf = async (
  db: Tx,
  accountId: number,
  keys: Pick<UsedKey, "id" | "lastAt">[],
): Promise<Map<number, string>> => {
  const used = sql.join(
    keys.map(({ id, lastAt }) => sql`(${id}::integer, ${lastAt}::timestamptz)`),
    sql`, `,
  );
  const rows = await db.execute<{ id: number; name: string }>(sql`
    select used.id, named.name
    from (values ${used}) as used (id, last_at)
    cross join lateral (
      select api_key_name as name from ${usageLogs}
      where account_id = ${accountId} and api_key_id = used.id and occurred_at <= used.last_at
      order by occurred_at desc limit 1) named`);
  return new Map(rows.map(({ id, name }) => [id, name]));
};

type UsedKey = { id: number; name: string | null; requests: number; lastAt: string };
type FoundUsage = Omit<RecentUsage, "topKeys"> & { accountId: number; topKeys: UsedKey[] };

const recentUsage = batchByKey(
  (db, accountIds, today: Day, firstDay: Day): Promise<FoundUsage[]> =>
    selectRecentUsage(db, { accountIds, today, firstDay, since: startOf(firstDay).toISOString() }),
  ({ accountId }) => accountId,
);

type Selection = { accountIds: number[]; today: Day; firstDay: Day; since: string };

const totals = sql`json_build_object(
  'requests', coalesce(sum(requests), 0),
  'errors', coalesce(sum(errors), 0),
  'rateLimited', coalesce(sum(rate_limited), 0))`;

/** Lets the planner see a limit. */
const literal = (value: number) => sql.raw(String(value));

/** Reads the daily totals once, for all figures. */
const selectRecentUsage = statement<FoundUsage, Selection>(
  ({ accountIds, today, firstDay, since }) => sql`
    select account.id as "accountId", figures.*
    from unnest((select ${accountIds}::integer[])) as account (id)
    cross join lateral (
      with used as materialized (
        select day, api_key_id, route_id, requests, errors, rate_limited, last_at
        from ${usageDays}
        where account_id = account.id and day >= ${firstDay}::date
      )
      select
        (select ${totals} from used where day = ${today}::date) as today,
        (select ${totals} from used) as "lastDays",
        (
          select json_build_object(
            'p50', percentile_disc(0.5) within group (order by duration_ms),
            'p95', percentile_disc(0.95) within group (order by duration_ms))
          from (
            select duration_ms from ${usageLogs} log
            where log.account_id = account.id and log.occurred_at >= ${since}::timestamptz
            order by log.occurred_at desc limit ${literal(recentDurationSample)}) latest
        ) as "durationMs",
        (
          select coalesce(json_agg(json_build_object('id', id, 'code', code, 'name', name, 'requests', requests)
            order by requests desc, id), '[]')
          from (
            select route.id, route.code, route.name, by_route.requests
            from (select route_id, sum(requests) as requests from used group by 1) by_route
            join ${routes} route on route.id = by_route.route_id
            order by by_route.requests desc, route.id limit ${literal(topCount)}) top
        ) as "topRoutes",
        (
          select coalesce(json_agg(json_build_object('id', top.id, 'requests', top.requests, 'name', key.name,
            'lastAt', top.last_at) order by top.requests desc, top.id), '[]')
          from (
            select api_key_id as id, sum(requests) as requests, max(last_at) as last_at
            from used where api_key_id > 0 group by 1 order by 2 desc, 1 limit ${literal(topCount)}) top
          left join ${apiKeys} key on key.id = top.id
        ) as "topKeys"
    ) figures`,
);
