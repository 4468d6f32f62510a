import { sql } from "drizzle-orm";
import { healthChecks } from "#drizzle/schema/index.ts";
import type { Tx } from "../platform/db.server.ts";

/**
 * Writes a row as requests do, and also allocates disk space, because overwriting a row needs none: `generate_series`
 * exceeds the small `work_mem` and spills about 200 KB into a temporary file. It refers to the setting, which is therefore
 * made first, and lasts as long as the statement.
 */
export const writeCheck = async (db: Tx, checkedAt: Date): Promise<void> => {
  await db.execute(sql`
    with small as materialized (select set_config('work_mem', '64kB', true) as memory),
      spilled as materialized (
        select count(*) from small, lateral generate_series(1, 10000 + 0 * length(small.memory))
      )
    insert into ${healthChecks} (checked_at) select ${checkedAt.toISOString()}::timestamptz from spilled
    on conflict (id) do update set checked_at = excluded.checked_at`);
};

/**
 * The last migration of the database, and the oldest that a release needs to run with those after `own`. Null where none was
 * recorded.
 */
export const schemaVersion = async (
  db: Tx,
  own: number,
): Promise<{ reached: number | null; needed: number | null }> => {
  const [row] = await db.execute<{ reached: string | null; needed: string | null }>(sql`
    select max(created_at) as reached, max(coalesce(needs, created_at)) filter (where created_at > ${own}) as needed
    from drizzle.__drizzle_migrations left join drizzle.compatibility using (created_at)`);
  const number = (text: string | null | undefined) => (text == null ? null : Number(text));
  return { reached: number(row?.reached), needed: number(row?.needed) };
};
