/**
 * The staging tables: one for each import, so that it has its own columns and statistics, and is gone at once when it is
 * dropped. They are unlogged: writing them costs no write-ahead log, and after a crash of the database they are empty.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../platform/db.server.ts";
import type { Finding } from "./finding.ts";
import type { StagedFile } from "./kind.server.ts";
import type { Findings, ImportFormat } from "./kind.ts";
import { findingsKept, valueKept } from "./policy.ts";

export const stagingTable = (importId: number): string => `import_rows_${importId}`;
export const tableOf = (importId: number): SQL => sql`${sql.identifier(stagingTable(importId))}`;

export const createStaging = async (tx: Tx, importId: number, { staging }: ImportFormat): Promise<void> => {
  const columns = Object.entries(staging).map(([name, type]) => sql`, ${sql.identifier(name)} ${sql.raw(type)}`);
  await tx.execute(sql`create unlogged table ${tableOf(importId)} (row integer not null${sql.join(columns, sql``)})`);
};

export const dropStaging = async (tx: Tx, importId: number): Promise<void> => {
  await tx.execute(sql`drop table if exists ${tableOf(importId)}`);
};

/** Gives the planner the numbers of a table that has just been filled. */
export const analyzeStaging = async (tx: Tx, importId: number): Promise<void> => {
  await tx.execute(sql`analyze ${tableOf(importId)}`);
};

/** Until the transaction ends, sorts and joins of many rows stay in memory. */
export const allowBigSorts = async (tx: Tx): Promise<void> => {
  await tx.execute(sql`set local work_mem = '128MB'`);
};

/** Null: there is no table. */
export const countStaged = async (tx: Tx, importId: number): Promise<number | null> => {
  const [found] = await tx.execute<{ exists: boolean }>(
    sql`select to_regclass(${stagingTable(importId)}) is not null as exists`,
  );
  if (!found?.exists) return null;
  const [row] = await tx.execute<{ count: number }>(sql`select count(*)::int as count from ${tableOf(importId)}`);
  return row?.count ?? 0;
};

/** Replaces the rows by those of a query on them. */
export const replaceStaged = async (tx: Tx, importId: number, rows: SQL): Promise<void> => {
  const table = tableOf(importId);
  const replacement = sql.identifier(`${stagingTable(importId)}_resolved`);
  await tx.execute(sql`create unlogged table ${replacement} as ${rows}`);
  await tx.execute(sql`drop table ${table}`);
  await tx.execute(sql`alter table ${replacement} rename to ${sql.identifier(stagingTable(importId))}`);
};

/**
 * Drops the tables of imports that have ended, that are not there any more, or whose check was interrupted.
 *
 * @param aliveSince a check without a heartbeat since then was interrupted
 */
export const dropUnusedStaging = async (tx: Tx, aliveSince: Date): Promise<void> => {
  const unused = await tx.execute<{ id: number }>(sql`
    select substring(relname from '[0-9]+$')::int as id from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname ~ '^import_rows_[0-9]+$'
      and not exists (
        select from catalogue_imports i
        where i.id = substring(relname from '[0-9]+$')::int
          and (i.status in ('checked', 'applying') or i.status = 'checking' and i.heartbeat_at > ${aliveSince.toISOString()}))`);
  for (const { id } of unused) await dropStaging(tx, id);
};

/** Runs the query of a check: the first findings by row, and how many there are. */
export const findingsOf = async (tx: Tx, query: SQL): Promise<Findings> => {
  const rows = await tx.execute<Finding & { count: number }>(sql`
    select row, "column", code, message, left(coalesce(value, ''), ${valueKept}) as value, (count(*) over ())::int as count
    from (${query}) found order by row, "column" limit ${findingsKept}`);
  return { first: rows.map(({ count: _, ...finding }) => finding), count: rows[0]?.count ?? 0 };
};

/** Rows with the key of an earlier row. */
export const duplicatesOf = ({ table }: StagedFile, columns: readonly string[], reportedAt: string): SQL => {
  const key = sql.join(
    columns.map((column) => sql.identifier(column)),
    sql`, `,
  );
  return sql`
    select row, ${reportedAt}::text as "column", 'duplicate' as code, ${sql.identifier(columns[0] ?? "")}::text as value,
      'Already in row ' || first_row || '. Remove one of them' as message
    from (select row, ${sql.identifier(columns[0] ?? "")}, min(row) over (partition by ${key}) as first_row from ${table}) keyed
    where row > first_row`;
};

/** For `countTouched`. */
export const routesOf = (ids: readonly number[]): SQL => sql`select unnest(${sql.param(ids)}::int[]) as route_id`;

/** How many existing routes are concerned, and active subscriptions to them. */
export const countTouched = async (
  tx: Tx,
  routes: SQL,
  today: string,
): Promise<{ routes: number; subscriptions: number }> => {
  const [row] = await tx.execute<{ routes: number; subscriptions: number }>(sql`
    with touched as (select distinct route_id from (${routes}) t)
    select (select count(*)::int from touched) as routes,
      (select count(*)::int from subscriptions
        join periods on periods.id = subscriptions.period_id
        join touched on touched.route_id = periods.route_id
        where subscriptions.end_date > ${today}::date) as subscriptions`);
  return row ?? { routes: 0, subscriptions: 0 };
};
