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
