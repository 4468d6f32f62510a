import { type SQL, sql } from "drizzle-orm";
import { periods, routeGroups, routes, subscriptions, tradeLanes } from "#drizzle/schema/index.ts";
import { isStaleAt } from "../catalogue/freshness-columns.server.ts";

/** What entitles an account to a route's data. */
export type EntitlementRow = {
  route_id: number;
  version: number;
  updated_at: string;
  is_sample: boolean;
  stale_period_ids: number[];
  /** Of the account to the route, in any status. */
  subscriptions: [periodId: number, endDate: string, cancelledAt: string | null][];
};

/**
 * The routes with these ids, as a common table expression of one row each: `route_id` and what entitlements say of the route alone.
 * Requests that arrive together often want the same routes, so it is read once.
 */
export const wantedRoutes = ({ routeIds, now }: Record<"routeIds" | "now", SQL>): SQL => sql`
  wanted_route as materialized (
    select
      ${routes.id} as route_id,
      ${routes.version} as version,
      ${routes.updatedAt} as updated_at,
      ${routes.isSample} and ${routes.retiredAt} is null as is_sample,
      array(
        select ${periods.id}
        from ${periods}
        join ${routeGroups} on ${routeGroups.id} = ${routes.routeGroupId}
        join ${tradeLanes} on ${tradeLanes.id} = ${routeGroups.tradeLaneId}
        where ${periods.routeId} = ${routes.id} and ${isStaleAt(now)}
        order by ${periods.id}
      ) as stale_period_ids
    from (select distinct unnest((select ${routeIds}::integer[])) as id) as wanted
    join ${routes} on ${routes.id} = wanted.id
  )`;

/** Both functions below use these columns, so that the hash misses none. */
const readColumns = sql`${subscriptions.periodId}, ${subscriptions.endDate}, ${subscriptions.cancelledAt}`;

/** The account's subscriptions to the route, as a subquery of one value. */
export const subscriptionsOf = ({ accountId, routeId }: Record<"accountId" | "routeId", SQL>): SQL => sql`(
  select coalesce(
    jsonb_agg(
      jsonb_build_array(${readColumns})
      order by ${subscriptions.id}
    ),
    '[]'
  )
  from ${subscriptions}
  where ${subscriptions.accountId} = ${accountId} and ${subscriptions.routeId} = ${routeId}
)`;

/**
 * A hash of these subscriptions; null without any. It is text, because PostgreSQL folds a `bigint` to 32 bits before it hashes it
 * again.
 */
export const subscriptionsStateOf = ({
  accountId,
  routeId,
  seed,
}: Record<"accountId" | "routeId", SQL> & { seed: number }): SQL => sql`(
  select bit_xor(hash_record_extended(row(${subscriptions.id}, ${readColumns}), ${sql.raw(String(seed))}))::text
  from ${subscriptions}
  where ${subscriptions.accountId} = ${accountId} and ${subscriptions.routeId} = ${routeId}
)`;
