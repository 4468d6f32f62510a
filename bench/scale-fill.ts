/** Fills a database with generated rows, by SQL. */
import postgres from "postgres";
import { fixedClock } from "../app/domain/clock.ts";
import { dayOf, millisecondsPerDay } from "../app/domain/dates.ts";
import { createLogPartitions } from "../app/domain/usage/log-partitions.server.ts";
import { sumUpAccounts } from "../app/domain/usage/sum-up-accounts.server.ts";
import { commandWaitMs, openDatabase } from "../app/platform/db.server.ts";

export type Sizes = { keys: number; subscriptions: number; routes: number; logs: number };

/** The log covers this many days until now. */
const logDays = 30;

/**
 * Adds accounts with one key each, subscriptions, routes with a period each, and log records: half of them of the
 * measured accounts, half of the generated ones. No subscription ends soon, so that the service has no work to do.
 *
 * @param measured accounts, on the enterprise plan
 */
export const fill = async (databaseUrl: string, sizes: Sizes, measured: number[], now: Date): Promise<void> => {
  await createPartitions(databaseUrl, now);
  const client = postgres(databaseUrl, { max: 1, onnotice: () => {}, prepare: false });
  try {
    // Without triggers and foreign keys: the rows are consistent, and thousands of changes are not to be followed.
    await client`set session_replication_role = replica`;
    await client`set synchronous_commit = off`;
    await client`alter table subscriptions drop constraint subscriptions_no_overlap`;
    await addAccounts(client, sizes.keys);
    await addRoutes(client, sizes.routes);
    await addSubscriptions(client, sizes.subscriptions, sizes);
    await addLogs(client, sizes.logs, measured, now);
    await sumUp(databaseUrl, now);
    await client`vacuum analyze`;
  } finally {
    await client.end();
  }
};

const createPartitions = async (databaseUrl: string, now: Date): Promise<void> => {
  const { db, close } = openDatabase(databaseUrl, { requestWaitMs: commandWaitMs });
  for (let daysAgo = logDays + 7; daysAgo >= 0; daysAgo -= 7) {
    const then = new Date(now.getTime() - daysAgo * millisecondsPerDay);
    await createLogPartitions({ db, clock: fixedClock(then.toISOString()) });
  }
  await close();
};

/** As the service does every night. */
const sumUp = async (databaseUrl: string, now: Date): Promise<void> => {
  const { db, close } = openDatabase(databaseUrl, { requestWaitMs: commandWaitMs });
  const since = dayOf(new Date(now.getTime() - logDays * millisecondsPerDay));
  await sumUpAccounts({ db, clock: fixedClock(now.toISOString()) }, { since });
  await close();
};

const addAccounts = async (client: postgres.Sql, count: number): Promise<void> => {
  await client`
    insert into accounts (email, username, password_hash, created_at)
    select 'scale-' || number || '@example.com', 'scale-' || number, 'none', now() from generate_series(1, ${count}::int) number`;
  await client`
    insert into api_keys (account_id, name, "user", secret_hash, display_prefix, created_at)
    select id, 'bench', username, sha256(username::bytea), 'srd_live_', now() from accounts where username like 'scale-%'`;
};

const addRoutes = async (client: postgres.Sql, count: number): Promise<void> => {
  const model = await client<{ id: number }[]>`
    select routes.id from routes join periods on periods.route_id = routes.id
    where not is_sample and ends_on is null order by routes.id limit 1`;
  const id = model[0]?.id ?? 0;
  const columns = async (table: string, without: string[]): Promise<string> => {
    const rows = await client<{ name: string }[]>`
      select quote_ident(column_name) as name from information_schema.columns
      where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER' and column_name <> all(${without})`;
    return rows.map(({ name }) => name).join(", ");
  };
  const ofRoute = await columns("routes", ["id", "code"]);
  await client.unsafe(`
    insert into routes (code, ${ofRoute})
    select 'SCALE-' || number, ${ofRoute} from routes, generate_series(1, ${count}) number where routes.id = ${id}`);
  const ofPeriod = await columns("periods", ["id", "code", "route_id", "successor_period_id"]);
  await client.unsafe(`
    insert into periods (code, route_id, ${ofPeriod})
    select 'P-' || copies.code, copies.id, ${ofPeriod}
    from (select id, code from routes where code like 'SCALE-%') copies,
      lateral (select ${ofPeriod} from periods where route_id = ${id} and ends_on is null limit 1) model`);
};

/** Spread evenly over accounts and routes. */
const addSubscriptions = async (client: postgres.Sql, count: number, { keys, routes }: Sizes): Promise<void> => {
  await client`
    insert into subscriptions (account_id, route_id, period_id, term, renewal_term, start_date, anchor_date, months_paid,
      end_date, auto_renew, created_at)
    select account.id, period.route_id, period.id, '12_months', '12_months', current_date, current_date, 12,
      current_date + 60 + copy.number % 300, true, now()
    from generate_series(1, ${count}::int) copy(number)
    join (select id, row_number() over (order by id) - 1 as number from accounts where username like 'scale-%')
      account on account.number = copy.number % ${keys}::int
    join (select periods.id, route_id, row_number() over (order by periods.id) - 1 as number
      from periods join routes on routes.id = route_id where routes.code like 'SCALE-%')
      period on period.number = copy.number % ${routes}::int`;
};

const addLogs = async (client: postgres.Sql, count: number, measured: number[], now: Date): Promise<void> => {
  const generated = await client<{ first: number; total: number }[]>`
    select min(id) as first, count(*)::int as total from accounts where username like 'scale-%'`;
  const { first, total } = generated[0] ?? { first: 0, total: 0 };
  await client`
    insert into usage_logs (account_id, occurred_at, method, endpoint, status, duration_ms, response_bytes, route_id, request_id, plan)
    select
      case when number % 2 = 0 then (${measured}::int[])[1 + (number / 2) % ${measured.length}::int] else ${first}::int + (number * 7919::bigint % ${total}::int)::int end,
      ${now}::timestamptz - ${`${logDays} days`}::interval * (1 - number / ${count}::float8),
      'GET', '/api-routes-data', case when number % 101 = 0 then 404 else 200 end, 2 + number % 7, 31000, 1 + number % 10,
      gen_random_uuid(), (case when number % 2 = 0 then 'enterprise' else 'free' end)::plan_name
    from generate_series(1, ${count}::int) number`;
  await client`
    insert into usage_hours (account_id, hour, api_key_id, requests, errors, rate_limited)
    select account_id, date_trunc('hour', occurred_at, 'UTC'), 0, count(*), count(*) filter (where status >= 400), 0
    from usage_logs where account_id = any(${measured}) group by 1, 2`;
  await client`
    insert into usage_days (account_id, day, api_key_id, endpoint, route_id, requests, errors, rate_limited, last_at)
    select account_id, occurred_at::date, 0, endpoint, route_id, count(*), count(*) filter (where status >= 400), 0, max(occurred_at)
    from usage_logs where account_id = any(${measured}) group by 1, 2, 4, 5`;
};
