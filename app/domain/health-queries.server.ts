import { sql } from "drizzle-orm";
import { healthChecks } from "#drizzle/schema/index.ts";
import type { Tx } from "../platform/db.server.ts";

/**
 * Writes as requests do, and asks for fresh disk space besides: a row that is written over needs none. What
 * `generate_series` makes beyond the memory that it is left goes to a temporary file, of about 200 KB.
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
