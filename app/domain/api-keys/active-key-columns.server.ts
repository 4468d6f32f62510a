import { randomInt } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { accounts, apiKeys } from "#drizzle/schema/index.ts";
import type { Account } from "../accounts/caller.ts";
import type { Day } from "../dates.ts";
import type { Plan } from "../plans/plans.ts";
import { type EntitlementRow, subscriptionsStateOf } from "../subscriptions/entitlement-columns.server.ts";

const seed = randomInt(2 ** 47);

/** What `activeKeyWith` selects, and the subscriptions. */
export type ActiveKeyRow = {
  key_id: number;
  key_name: string;
  user: string;
  hourly_limit: number | null;
  allowed_addresses: string[] | null;
  account_id: number;
  email: string;
  username: string;
  plan: Plan;
  standing: Account["standing"];
  role: Account["role"];
  email_verified_at: string | null;
  custom_hourly_limit: number | null;
  custom_discount_percent: number | null;
  custom_discount_through: Day | null;
} & (EntitlementRow | { route_id: null });

/**
 * The active key with a secret, its account, and what entitles that to a route, as a subquery of one row; of none when there is
 * no such key. It selects a hash of the subscriptions, which PostgreSQL computes faster than their JSON. The statement begins with
 * `wantedRoutes`.
 */
export const activeKeyWith = ({ secretHash, routeId, now }: Record<"secretHash" | "routeId" | "now", SQL>): SQL => sql`
  select
    ${apiKeys.id} as key_id, ${apiKeys.name} as key_name, ${apiKeys.user}, ${apiKeys.hourlyLimit}, ${apiKeys.allowedAddresses},
    ${accounts.id} as account_id, ${accounts.email}, ${accounts.username}, ${accounts.plan}, ${accounts.standing},
    ${accounts.role}, ${accounts.emailVerifiedAt}, ${accounts.customHourlyLimit}, ${accounts.customDiscountPercent},
    ${accounts.customDiscountThrough}, wanted_route.*,
    ${subscriptionsStateOf({ accountId: sql`${accounts.id}`, routeId, seed })} as subscriptions_state
  from (
    select * from ${apiKeys}
    where ${apiKeys.secretHash} = ${secretHash} and ${apiKeys.status} = 'active'
      and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > ${now})
    limit 1
  ) as ${apiKeys}
  join ${accounts} on ${accounts.id} = ${apiKeys.accountId} and ${accounts.closedAt} is null
  left join wanted_route on wanted_route.route_id = ${routeId}`;

/**
 * A hash of 64 bits of a row: rows with the same state are equal. The seed differs from process to process, as the hash is no
 * cryptographic one and account holders choose some of the values.
 */
export const stateOf = (row: string): SQL =>
  sql`hash_record_extended(${sql.identifier(row)}, ${sql.raw(String(seed))})::text`;
