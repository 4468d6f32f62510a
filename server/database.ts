/** The database before the service uses it: started where it is embedded, migrated, and filled with the demo in test mode. */
import type { Closers } from "#app/platform/closers.ts";
import type { Config } from "#app/platform/env.server.ts";
import { migrate } from "#drizzle/migrate.ts";
import { SchemaTrouble } from "#drizzle/schema-version.ts";
import type { SeededDemo } from "#drizzle/seed/demo-identity.ts";
import { ensureServiceDatabase } from "#scripts/embedded-postgres/service-role.ts";
import { startPostgres } from "#scripts/embedded-postgres/start.ts";
import { pathInCheckout } from "./checkout.ts";
import { keptSecretsKey } from "./secrets-key.ts";
import { stopLimitsMs } from "./stop-limits.ts";
import { Trouble } from "./trouble.ts";

/**
 * Makes the database ready, and tells the build and the workers by the environment where it is.
 *
 * @returns the demo in test mode, else null
 * @throws Trouble, PostgresTrouble
 */
export const prepareDatabase = async (
  config: Config,
  closers: Closers,
  log: (line: string) => void,
): Promise<SeededDemo | null> => {
  const startedAt = performance.now();
  const url = config.databaseUrl ?? (await startEmbeddedDatabase(config, closers, log));
  process.env.DATABASE_URL = url;
  if (config.secretsKey === null) process.env.SECRETS_KEY = keptSecretsKey(pathInCheckout(config.dataDir));
  await migrateDatabase(url);
  log(`Database: ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return config.testMode ? seedDemo(url, config.appUrl) : null;
};

/** @returns its URL for the service's role @throws PostgresTrouble */
const startEmbeddedDatabase = async (
  { dataDir, workers }: Pick<Config, "dataDir" | "workers">,
  closers: Closers,
  log: (line: string) => void,
): Promise<string> => {
  const starting = startPostgres({ dataDir: pathInCheckout(dataDir, "postgres"), processes: workers, report: log });
  closers.add({
    limitMs: stopLimitsMs.database,
    close: async () => {
      await (await starting.catch(() => null))?.stop();
      return [];
    },
    whenLate: () => ["the embedded PostgreSQL"],
  });
  return ensureServiceDatabase(await starting);
};

/** @throws Trouble if the database cannot be reached, or its schema does not fit this release */
const migrateDatabase = async (url: string): Promise<void> => {
  try {
    await migrate(url);
  } catch (error) {
    const cause = connectionFailure(error);
    if (error instanceof SchemaTrouble) throw new Trouble(error.message);
    if (cause === null) throw error;
    const { host, pathname } = new URL(url);
    throw new Trouble(
      `The database at ${host}${pathname} cannot be used: ${cause}. ` +
        "Check DATABASE_URL and that the server runs, or unset it to use the embedded PostgreSQL.",
    );
  }
};

/** Unreachable (ECONNREFUSED, CONNECT_TIMEOUT …), not let in (28…), no such database (3D000), shutting down (57P0x). */
const connectionFailure = (error: unknown): string | null => {
  for (let cause = error; cause instanceof Error; cause = causeOf(cause)) {
    const code = "code" in cause ? String(cause.code) : "";
    if (/^(E[A-Z]{3,}|CONNECT|CONNECTION_|28|3D000|57P0)/.test(code)) return cause.message || code;
  }
  return null;
};

/** Node tries every address of a name, and reports the failures together. */
const causeOf = (error: Error): unknown => error.cause ?? (error instanceof AggregateError ? error.errors[0] : null);

/** Its code is large. Production never needs it, and test mode only once. */
const seedDemo = async (databaseUrl: string, appUrl: string): Promise<SeededDemo> => {
  const { findSeededDemo } = await import("#drizzle/seed/seeded.ts");
  const seeded = await findSeededDemo(databaseUrl);
  if (seeded) return seeded;
  const { reportToTerminal, seed } = await import("#drizzle/seed/seed.ts");
  return seed(databaseUrl, reportToTerminal, appUrl);
};
