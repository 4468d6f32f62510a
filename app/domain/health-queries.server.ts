import { sql } from "drizzle-orm";
import { healthChecks } from "#drizzle/schema/index.ts";
import type { Tx } from "../platform/db.server.ts";

/**
 * Writes a row as requests do, and also allocates disk space, because overwriting a row needs none: `generate_series`
 * exceeds the small `work_mem` and spills about 200 KB into a temporary file.
 */
export const writeCheck = (db: Tx, checkedAt: Date): Promise<void> =>
  db.transaction(async (tx) => {
    await tx
      .insert(healthChecks)
      .values({ checkedAt })
      .onConflictDoUpdate({ target: healthChecks.id, set: { checkedAt } });
    await tx.execute(sql`set local work_mem = '64kB'`);
    await tx.execute(sql`select count(*) from generate_series(1, 10000)`);
  });
