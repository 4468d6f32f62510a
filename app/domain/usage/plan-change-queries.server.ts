import { sql } from "drizzle-orm";
import { usageLogs } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

/** Moves the oldest records of the account that have another plan; about `limit` of them. @returns how many */
export const moveLogs = async (db: Tx, accountId: number, limit: number): Promise<number> => {
  const { count } = await db.execute(sql`
    with current as materialized (select plan from accounts where id = ${accountId}),
    last as materialized (
      select max(occurred_at) as occurred_at from (
        select occurred_at from ${usageLogs}
        where account_id = ${accountId} and plan <> (select plan from current)
        order by occurred_at limit ${limit}) oldest)
    update ${usageLogs} set plan = (select plan from current)
    where account_id = ${accountId} and plan <> (select plan from current)
      and occurred_at <= (select occurred_at from last)`);
  return count;
};
