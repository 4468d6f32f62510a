/**
 * PostgreSQL from npm-packaged binaries, kept in a folder of the checkout: found again if it already runs, started
 * otherwise. Needs no installed PostgreSQL and no particular user; `launcher.ts` says how it runs under root.
 */
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { createCluster, requireCluster } from "./cluster.ts";
import { urlOf } from "./connection.ts";
import { launcherFor } from "./launcher.ts";
import { checkMajorVersion } from "./major-version.ts";
import { ensureRunning, stopServer } from "./server-process.ts";
import { codeOf } from "./trouble.ts";

export type EmbeddedPostgres = {
  /** For the superuser: for maintenance, and to make the service's own role and database (`service-role.ts`). */
  url(database?: string): string;
  pid(): number;
  dataDir: string;
  /** Whether it ran already. */
  found: boolean;
  /** Leaves the server running while another process still uses it. */
  stop(): Promise<void>;
};

const keeperName = "shipping-route-data-service keeper";
const keeperTimeoutMs = 5_000;

/**
 * Starts or finds the server of `dataDir` and holds one connection to it, which tells other processes with the same
 * folder that it is in use. If the server dies, it is started again on the same port.
 *
 * @param options.create false: only where there is data already
 * @param options.processes how many processes of the service will connect to a server that is started
 * @param options.durable false trades crash safety for speed; tests only
 * @throws PostgresTrouble
 */
export const startPostgres = async ({
  dataDir,
  create = true,
  processes = 1,
  durable = true,
  report = () => {},
}: {
  dataDir: string;
  create?: boolean;
  processes?: number;
  durable?: boolean;
  report?: (line: string) => void;
}): Promise<EmbeddedPostgres> => {
  const launcher = await launcherFor(path.resolve(dataDir));
  if (create) createCluster(launcher);
  else requireCluster(launcher);
  checkMajorVersion(launcher);
  let server = await ensureRunning(launcher, { processes, durable, report });
  const { found } = server;
  let stopping = false;

  const keep = async (): Promise<postgres.Sql> => {
    const connection: postgres.Sql = postgres(urlOf(server, "postgres"), {
      max: 1,
      max_lifetime: null,
      onnotice: () => {},
      connection: { application_name: keeperName },
      onclose: () => {
        if (!stopping) void revive(connection);
      },
    });
    await connection`select 1`;
    return connection;
  };
  const revive = async (lost: postgres.Sql): Promise<void> => {
    await lost.end({ timeout: 0 }).catch(() => {});
    while (!stopping) {
      try {
        server = await ensureRunning(launcher, { processes, durable, report, port: server.port });
        keeper = await keep();
        return;
      } catch (error) {
        report(`The embedded PostgreSQL is away: ${error instanceof Error ? error.message : error}`);
        await sleep(1000);
      }
    }
  };
  let keeper = await keep();

  return {
    url: (database = "postgres") => urlOf(server, database),
    pid: () => server.pid,
    dataDir: launcher.dataDir,
    found,
    stop: async () => {
      stopping = true;
      const counting = otherKeepers(keeper);
      const others = await Promise.race([counting, sleep(keeperTimeoutMs, null, { ref: false })]);
      await keeper.end({ timeout: 1 }).catch(() => {});
      // A server that does not answer keeps running. The next start finds it.
      if (others === 0) await stopServer(server.pid);
    },
  };
};

/** How many other processes hold the server open; 0 as well if it cannot be asked. */
const otherKeepers = async (keeper: postgres.Sql): Promise<number> => {
  try {
    const [row] = await keeper<{ keepers: number }[]>`
      select count(*)::int as keepers from pg_stat_activity
      where application_name = ${keeperName} and pid <> pg_backend_pid()`;
    return row?.keepers ?? 0;
  } catch {
    return 0;
  }
};

/** Creates the database unless it exists. */
export const ensureDatabase = async (server: Pick<EmbeddedPostgres, "url">, name: string): Promise<void> => {
  const sql = postgres(server.url(), { max: 1, onnotice: () => {} });
  try {
    const [existing] = await sql`select 1 from pg_database where datname = ${name}`;
    if (!existing) await sql`create database ${sql(name)}`.catch(ignoreRace);
  } finally {
    await sql.end();
  }
};

/** Another process created it meanwhile: duplicate_database, unique_violation. */
const ignoreRace = (error: unknown): void => {
  if (!["42P04", "23505"].includes(codeOf(error))) throw error;
};
