import { type SQL, sql } from "drizzle-orm";
import { accounts, usageDays, usageHours, usageLogs } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { type Placeholders, statement } from "../../platform/statement.server.ts";
import { activeKeyWith, stateOf } from "../api-keys/active-key-columns.server.ts";
import type { RecalledKey } from "../api-keys/recalled-key.ts";
import { latestOf } from "../dates.ts";
import type { Plan } from "../plans/plans.ts";
import { wantedRoutes } from "../subscriptions/entitlement-columns.server.ts";
import { totalsOf, type UsageRecord } from "./usage-record.ts";

/**
 * Writes records to the log and adds them to the totals, in one statement.
 *
 * @param recalled for each record the key that its request has recalled from an earlier one; null if it has read it
 * @returns for each record whether it was written: not if the key, its account or its entitlement has changed since
 */
export const insertRecords = async (
  db: Tx,
  records: UsageRecord[],
  recalled: (RecalledKey | null)[] = records.map(() => null),
): Promise<boolean[]> => {
  const totals = records.map(totalsOf);
  const insert = recalled.every((key) => key === null) ? insertAll : insertCurrent;
  const outdated = await insert(db, {
    accountIds: records.map(({ accountId }) => accountId),
    times: records.map(({ occurredAt }) => occurredAt.toISOString()),
    methods: records.map(({ method }) => method),
    endpoints: records.map(({ endpoint }) => endpoint),
    statuses: records.map(({ status }) => status),
    durations: records.map(({ durationMs }) => durationMs),
    sizes: records.map(({ responseBytes }) => responseBytes),
    costs: records.map(({ requestCost }) => requestCost),
    keyIds: records.map(({ apiKeyId }) => apiKeyId),
    keyNames: records.map(({ apiKeyName }) => apiKeyName),
    routeIds: records.map(({ routeId }) => routeId),
    requestIds: records.map(({ requestId }) => requestId),
    requests: totals.map(({ requests }) => requests),
    errors: totals.map(({ errors }) => errors),
    rateLimited: totals.map(({ rateLimited }) => rateLimited),
    secretHashes: recalled.map((key) => key && `\\x${key.secretHash}`),
    wantedRouteIds: recalled.map((key) => key?.routeId ?? null),
    states: recalled.map((key) => key?.state ?? null),
    plans: recalled.map((key) => key?.plan ?? null),
    now: latestOf(records.map(({ occurredAt }) => occurredAt)).toISOString(),
  });
  const written = records.map(() => true);
  for (const { place } of outdated) written[place - 1] = false;
  return written;
};

type Columns = {
  accountIds: number[];
  times: string[];
  methods: string[];
  endpoints: string[];
  statuses: number[];
  durations: number[];
  sizes: number[];
  costs: number[];
  keyIds: (number | null)[];
  keyNames: (string | null)[];
  routeIds: (number | null)[];
  requestIds: string[];
  requests: number[];
  errors: number[];
  rateLimited: number[];
  secretHashes: (string | null)[];
  wantedRouteIds: (number | null)[];
  states: (string | null)[];
  plans: (Plan | null)[];
  now: string;
};

/**
 * The account's plan decides how long the record is kept. A recalled key that is current knows it. Totals are written in the order of
 * their keys, so that concurrent writers lock rows in the same order. Times are passed as text, because drizzle turns the driver's
 * conversion of timestamps off. Lists are unnested one by one, as PostgreSQL keeps a buffer for each list of a common `unnest`.
 */
const insertWhere = (check: (of: Placeholders<Columns>) => { reads: SQL; isCurrent: SQL }) =>
  statement<{ place: number }, Columns>((of) => {
    const { reads, isCurrent } = check(of);
    return sql`
    with ${reads} given as materialized (
      select given.*, ${isCurrent} as is_current
      from (
        select
          generate_subscripts(${of.accountIds}::integer[], 1) as place,
          unnest(${of.accountIds}::integer[]) as account_id,
          unnest(${of.times}::text[]::timestamptz[]) as occurred_at,
          unnest(${of.methods}::text[]) as method,
          unnest(${of.endpoints}::text[]) as endpoint,
          unnest(${of.statuses}::smallint[]) as status,
          unnest(${of.durations}::float8[]) as duration_ms,
          unnest(${of.sizes}::integer[]) as response_bytes,
          unnest(${of.costs}::integer[]) as request_cost,
          unnest(${of.keyIds}::integer[]) as api_key_id,
          unnest(${of.keyNames}::text[]) as api_key_name,
          unnest(${of.routeIds}::integer[]) as route_id,
          unnest(${of.requestIds}::text[]) as request_id,
          unnest(${of.requests}::integer[]) as requests,
          unnest(${of.errors}::integer[]) as errors,
          unnest(${of.rateLimited}::integer[]) as rate_limited,
          unnest(${of.secretHashes}::text[]::bytea[]) as secret_hash,
          unnest(${of.wantedRouteIds}::integer[]) as wanted_route_id,
          unnest(${of.states}::text[]) as state,
          unnest(${of.plans}::plan_name[]) as known_plan
      ) as given
    ),
    record as (select * from given where is_current),
    logged as (
      insert into ${usageLogs} (
        plan, account_id, occurred_at, method, endpoint, status, duration_ms, response_bytes, request_cost, api_key_id,
        api_key_name, route_id, request_id
      )
      select
        coalesce(known_plan, (select ${accounts.plan} from ${accounts} where ${accounts.id} = record.account_id)),
        account_id, occurred_at, method, endpoint, status, duration_ms, response_bytes, request_cost, api_key_id,
        api_key_name, route_id, request_id
      from record
    ),
    added_to_hours as (
      insert into ${usageHours} as total (account_id, hour, api_key_id, requests, errors, rate_limited)
      select account_id, date_trunc('hour', occurred_at, 'UTC'), coalesce(api_key_id, 0),
        sum(requests), sum(errors), sum(rate_limited)
      from record
      group by 1, 2, 3
      order by 1, 2, 3
      on conflict (account_id, hour, api_key_id) do update set
        requests = total.requests + excluded.requests,
        errors = total.errors + excluded.errors,
        rate_limited = total.rate_limited + excluded.rate_limited
    ),
    added_to_days as (
      insert into ${usageDays} as total (
        account_id, day, api_key_id, endpoint, route_id, requests, errors, rate_limited, last_at
      )
      select account_id, (occurred_at at time zone 'UTC')::date, coalesce(api_key_id, 0), endpoint, coalesce(route_id, 0),
        sum(requests), sum(errors), sum(rate_limited), max(occurred_at)
      from record
      group by 1, 2, 3, 4, 5
      order by 1, 2, 3, 4, 5
      on conflict (account_id, day, api_key_id, endpoint, route_id) do update set
        requests = total.requests + excluded.requests,
        errors = total.errors + excluded.errors,
        rate_limited = total.rate_limited + excluded.rate_limited,
        last_at = greatest(total.last_at, excluded.last_at)
    )
    select place::integer from given where is_current is not true`;
  });

/** Every statement locks the tables that it may read, so this one reads none of the catalogue. */
const insertAll = insertWhere(() => ({ reads: sql``, isCurrent: sql`true` }));

const insertCurrent = insertWhere(({ wantedRouteIds, now }) => ({
  reads: sql`${wantedRoutes({ routeIds: wantedRouteIds, now })},`,
  isCurrent: sql`given.state is null or given.state = (
    select ${stateOf("found")}
    from (
      ${activeKeyWith({ secretHash: sql`given.secret_hash`, routeId: sql`given.wanted_route_id`, now: sql`${now}::timestamptz` })}
    ) as found
  )`,
}));
