/** The database before the service uses it: started where it is embedded, migrated, and filled with the demo in test mode. */
import type { Closers } from "#app/platform/closers.ts";
import type { Config } from "#app/platform/env.server.ts";
import { migrate } from "#drizzle/migrate.ts";
import { ensureDatabase, startPostgres } from "#scripts/embedded-postgres/start.ts";
import { pathInCheckout } from "./checkout.ts";
import { Trouble } from "./trouble.ts";

/** @returns its URL @throws PostgresTrouble */
export const startEmbeddedDatabase = async (
  { dataDir }: Pick<Config, "dataDir">,
  closers: Closers,
  { limitMs, log }: { limitMs: number; log: (line: string) => void },
): Promise<string> => {
  const starting = startPostgres({ dataDir: pathInCheckout(dataDir, "postgres"), report: log });
  closers.add({
    limitMs,
    close: async () => {
      await (await starting.catch(() => null))?.stop();
      return [];
    },
    whenLate: () => ["the embedded PostgreSQL"],
  });
  const server = await starting;
  await ensureDatabase(server, "service");
  return server.url("service");
};

/** @throws Trouble if the database cannot be reached or refuses the connection */
export const migrateDatabase = async (url: string): Promise<void> => {
  try {
    await migrate(url);
  } catch (error) {
    const cause = connectionFailure(error);
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

/** Its code is large, and production never needs it. */
export const seedDemo = async (databaseUrl: string, appUrl: string) => {
  const { reportToTerminal, seed } = await import("#drizzle/seed/seed.ts");
  return seed(databaseUrl, reportToTerminal, appUrl);
};
