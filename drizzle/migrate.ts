/** Brings a database to the present schema. Safe to run at every start, and by several processes at once. */

import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";

const migrationsFolder = fileURLToPath(new URL("./migrations", import.meta.url));
/** Any number, the same everywhere: whoever holds it migrates, the others wait. */
const migrationLock = 7_463_502;

export const migrate = async (databaseUrl: string): Promise<void> => {
  const client = postgres(databaseUrl, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    await client`select pg_advisory_lock(${migrationLock})`;
    await applyMigrations(drizzle(client), { migrationsFolder });
  } finally {
    await client.end({ timeout: 5 });
  }
};
