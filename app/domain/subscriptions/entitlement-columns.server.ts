import { type SQL, sql } from "drizzle-orm";
import { periods, routeGroups, routes, subscriptions, tradeLanes } from "#drizzle/schema/index.ts";
import { isStaleAt } from "../catalogue/freshness-columns.server.ts";

/** What `entitlementTo` selects. */
export type EntitlementRow = {
  route_id: number;
  version: number;
  updated_at: string;
  is_sample: boolean;
  stale_period_ids: number[];
  /** Of the account to the route, in any status. */
  subscriptions: [periodId: number, endDate: string, cancelledAt: string | null][];
};

/** What entitles an account to a route's data, as a subquery of one row; of none when the route does not exist. */
export const entitlementTo = ({ accountId, routeId, now }: Record<"accountId" | "routeId" | "now", SQL>): SQL => sql`
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
    ) as stale_period_ids,
    (
      select coalesce(
        json_agg(json_build_array(${subscriptions.periodId}, ${subscriptions.endDate}, ${subscriptions.cancelledAt})),
        '[]'
      )
      from ${subscriptions}
      where ${subscriptions.accountId} = ${accountId} and ${subscriptions.routeId} = ${routes.id}
    ) as subscriptions
  from ${routes}
  where ${routes.id} = ${routeId}`;
