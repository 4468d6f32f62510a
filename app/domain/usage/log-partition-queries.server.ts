/** The partitions of `usage_logs`. Their names and bounds are our own, so they are written into the statements. */
import { sql } from "drizzle-orm";
import type { Tx } from "../../platform/db.server.ts";
import type { LogPartition } from "./log-partition.ts";

/** Statements that wait for a lock hold up those behind them, requests included: give up early and try again later. */
const lockTimeout = sql`set local lock_timeout = '2s'`;

/** The partitions of time of one plan. The default one has no end. */
export const partitionsOf = async (db: Tx, parent: string): Promise<{ name: string; to: Date | null }[]> => {
  const rows = await db.execute<{ name: string; to: string | null }>(sql`
    select child.relname as name,
      (regexp_match(pg_get_expr(child.relpartbound, child.oid), 'TO [(]''([^'']+)''[)]'))[1]::timestamptz::text as to
    from pg_inherits
    join pg_class child on child.oid = pg_inherits.inhrelid
    where pg_inherits.inhparent = ${parent}::regclass
    order by name`);
  return [...rows].map(({ name, to }) => ({ name, to: to === null ? null : new Date(to) }));
};

/**
 * Creates a partition and moves what the default one has of its time into it.
 *
 * Most is moved while requests go on. The log is locked only for the last step: a record that PostgreSQL has assigned to
 * the default partition would be refused, if the partition of its time were attached before it is written.
 *
 * @returns false if another process has created it
 */
export const createPartition = (db: Tx, { name, parent, from, to }: LogPartition): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [table, whole, rest] = [name, parent, `${parent}_default`].map((each) => sql.identifier(each));
    const [first, end] = [from, to].map((day) => sql.raw(`'${day}T00:00:00Z'`));
    const moveRecords = sql`
      with moved as (delete from ${rest} where occurred_at >= ${first} and occurred_at < ${end} returning *)
      insert into ${table} select * from moved`;
    // One process at a time. No request needs to wait for this lock.
    await tx.execute(sql`lock table ${whole} in share update exclusive mode`);
    const [found] = await tx.execute(sql`select where to_regclass(${name}) is not null`);
    if (found) return false;
    await tx.execute(sql`create table ${table} (like ${whole} including defaults)`);
    await tx.execute(moveRecords);
    await tx.execute(lockTimeout);
    await tx.execute(sql`lock table ${whole} in access exclusive mode`);
    await tx.execute(moveRecords);
    await tx.execute(sql`alter table ${whole} attach partition ${table} for values from (${first}) to (${end})`);
    return true;
  });

export const dropPartition = (db: Tx, name: string): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.execute(lockTimeout);
    await tx.execute(sql`drop table if exists ${sql.identifier(name)}`);
  });

/** Accounts on the plan that have records from before the instant in this partition. */
export const accountsWithLogsBefore = async (
  db: Tx,
  partition: string,
  plan: string,
  before: Date,
): Promise<number[]> => {
  const rows = await db.execute<{ id: number }>(sql`
    select id from accounts
    where plan = ${plan} and exists (
      select from ${sql.identifier(partition)} logs where logs.account_id = accounts.id and logs.occurred_at < ${before.toISOString()})
    order by id`);
  return [...rows].map(({ id }) => id);
};

/** Deletes an account's oldest records from a partition, at most `limit`. @returns how many */
export const deleteLogsBefore = async (
  db: Tx,
  partition: string,
  accountId: number,
  before: Date,
  limit: number,
): Promise<number> => {
  const table = sql.identifier(partition);
  const { count } = await db.execute(sql`
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where account_id = ${accountId} and occurred_at < ${before.toISOString()}
      order by occurred_at limit ${limit}))`);
  return count;
};
