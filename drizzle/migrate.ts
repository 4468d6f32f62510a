/** Migrates a database to the current schema. Safe at every start, and from several processes at once. */

import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";

const migrationsFolder = fileURLToPath(new URL("./migrations", import.meta.url));
/** The key of the advisory lock that lets one process migrate while the others wait. The number is arbitrary. */
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
