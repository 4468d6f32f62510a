/** The PostgreSQL server for tests, with migrated template databases to clone. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import postgres from "postgres";
import { migrate } from "#drizzle/migrate.ts";
import { ensureServiceRole, serviceRole, serviceUrl } from "#scripts/embedded-postgres/service-role.ts";
import { startPostgres } from "#scripts/embedded-postgres/start.ts";
import { systemClock } from "../domain/clock.ts";
import { dayOf } from "../domain/dates.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export type TestServer = { adminUrl: string; stop(): Promise<void> };

/**
 * `TEST_DATABASE_URL` (its user must be able to create databases), or an embedded server in `TEST_DATA_DIR`, by default
 * `.data/test-postgres`. There the databases belong to the service's role, so that tests have no more rights than the service.
 */
export const openTestServer = async (): Promise<TestServer> => {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { adminUrl: given, stop: async () => {} };
  const dataDir = process.env.TEST_DATA_DIR ?? path.join(root, ".data", "test-postgres");
  const server = await startPostgres({ dataDir, durable: false });
  await asAdmin(server.url(), (sql) => ensureServiceRole(sql, server.url()));
  return { adminUrl: server.url(), stop: server.stop };
};

/** Whom the tests' databases belong to; null for the user of `TEST_DATABASE_URL`. */
const ownerOfTests = (): string | null => (process.env.TEST_DATABASE_URL ? null : serviceRole);

/** A migrated, empty template. Its name has a hash of the migrations, so a new migration makes a new template. */
export const prepareTemplate = (adminUrl: string): Promise<string> =>
  asAdmin(adminUrl, async (sql) => {
    const template = `template_${hashOf(["drizzle/migrations", "scripts/embedded-postgres"])}`;
    await locked(sql, async () => {
      await dropLeftOvers(sql);
      await makeTemplate(sql, template, "template1", (name) => migrate(urlOf(adminUrl, name)));
    });
    return template;
  });

/** A template with the whole demo. The demo's dates are relative to today, so the name has the day as well. */
export const prepareSeededTemplate = async (adminUrl: string): Promise<string> => {
  const empty = await prepareTemplate(adminUrl);
  const today = dayOf(systemClock.now()).replaceAll("-", "");
  const template = `seeded_${today}_${hashOf(["drizzle", "app/domain", "app/platform", "scripts/embedded-postgres"])}`;
  await asAdmin(adminUrl, (sql) =>
    locked(sql, () => makeTemplate(sql, template, empty, (name) => seed(urlOf(adminUrl, name)))),
  );
  return template;
};

/** Runs the seed in its own process, as an operator would. */
const seed = async (databaseUrl: string): Promise<void> => {
  await promisify(execFile)(process.execPath, ["--import", "tsx", "drizzle/seed/seed.ts"], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: databaseUrl },
    maxBuffer: 16 * 1024 * 1024,
  });
};

/** Only one test run at a time prepares templates. */
const locked = async (sql: postgres.Sql, work: () => Promise<void>): Promise<void> => {
  await sql`select pg_advisory_lock(7463503)`;
  try {
    await work();
  } finally {
    await sql`select pg_advisory_unlock(7463503)`;
  }
};

/** Fills the template under another name and renames it at the end, so an interrupted run leaves no partial template. */
const makeTemplate = async (
  sql: postgres.Sql,
  template: string,
  from: string,
  fill: (name: string) => Promise<void>,
): Promise<void> => {
  const [existing] = await sql`select 1 from pg_database where datname = ${template}`;
  if (existing) return;
  await sql`drop database if exists template_unfinished with (force)`;
  await createFrom(sql, "template_unfinished", from);
  await fill("template_unfinished");
  const kind = template.split("_")[0] ?? template;
  for (const { name } of await sql<{ name: string }[]>`
    select datname as name from pg_database where starts_with(datname, ${`${kind}_`}) and datname <> 'template_unfinished'`) {
    // Without `force`: an older template that is still in use stays.
    await sql`drop database if exists ${sql(name)}`.catch(() => {});
  }
  await sql`alter database template_unfinished rename to ${sql(template)}`;
};

export type ClonedDatabase = { url: string; drop(): Promise<void> };

let clones = 0;

export const cloneOf = async (adminUrl: string, template: string): Promise<ClonedDatabase> => {
  clones += 1;
  // A later run recognises abandoned clones by the process id.
  const name = `test_${process.pid}_${clones}_${Math.random().toString(36).slice(2, 8)}`;
  await asAdmin(adminUrl, (sql) => createFrom(sql, name, template));
  return {
    url: urlOf(adminUrl, name),
    drop: () =>
      asAdmin(adminUrl, async (sql) => {
        await sql`drop database if exists ${sql(name)} with (force)`;
      }),
  };
};

const createFrom = async (sql: postgres.Sql, name: string, template: string): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      const owner = ownerOfTests();
      const owned = owner === null ? sql`` : sql`owner ${sql(owner)}`;
      await sql`create database ${sql(name)} ${owned} template ${sql(template)} strategy file_copy`;
      return;
    } catch (error) {
      if (!isBeingAccessed(error) || attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt));
    }
  }
};

/** Another session is connected to the template, for example to clone it. */
const isBeingAccessed = (error: unknown) => error instanceof postgres.PostgresError && error.code === "55006";

const asAdmin = async <Result>(adminUrl: string, work: (sql: postgres.Sql) => Promise<Result>): Promise<Result> => {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
};

/** For the owner of the database. */
const urlOf = (adminUrl: string, database: string): string => {
  const url = ownerOfTests() === null ? new URL(adminUrl) : serviceUrl(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
};

/** Hashes the owner, and the files in these folders without tests. */
const hashOf = (folders: string[]): string => {
  const hash = createHash("sha256").update(ownerOfTests() ?? "");
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.includes(".test."))
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  for (const file of files.sort()) hash.update(path.relative(root, file)).update("\0").update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
};

/** Drops the clones of test processes that ended without dropping them. */
const dropLeftOvers = async (sql: postgres.Sql): Promise<void> => {
  const clones = await sql<
    { name: string }[]
  >`select datname as name from pg_database where starts_with(datname, 'test_')`;
  for (const { name } of clones) {
    const pid = /^test_(\d+)_/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await sql`drop database if exists ${sql(name)} with (force)`;
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};
