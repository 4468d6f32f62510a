/** The PostgreSQL server that tests use, and in it a migrated database to clone. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import postgres from "postgres";
import { migrate } from "#drizzle/migrate.ts";
import { startPostgres } from "#scripts/embedded-postgres/start.ts";
import { systemClock } from "../domain/clock.ts";
import { dayOf } from "../domain/dates.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

export type TestServer = { adminUrl: string; stop(): Promise<void> };

/** `TEST_DATABASE_URL` (a user who may create databases), else an embedded server in `.data/test-postgres`. */
export const openTestServer = async (): Promise<TestServer> => {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { adminUrl: given, stop: async () => {} };
  const server = await startPostgres({ dataDir: path.join(root, ".data", "test-postgres"), durable: false });
  return { adminUrl: server.url(), stop: server.stop };
};

/** A migrated, empty database to clone. Its name says which migrations made it, so that it is made anew with them. */
export const prepareTemplate = (adminUrl: string): Promise<string> =>
  asAdmin(adminUrl, async (sql) => {
    const template = `template_${hashOf(["drizzle/migrations"])}`;
    await locked(sql, async () => {
      await dropLeftOvers(sql);
      await makeTemplate(sql, template, "template1", (name) => migrate(urlOf(adminUrl, name)));
    });
    return template;
  });

/** The same with the whole demo in it, which is relative to the day. */
export const prepareSeededTemplate = async (adminUrl: string): Promise<string> => {
  const empty = await prepareTemplate(adminUrl);
  const today = dayOf(systemClock.now()).replaceAll("-", "");
  const template = `seeded_${today}_${hashOf(["drizzle", "app/domain", "app/platform"])}`;
  await asAdmin(adminUrl, (sql) =>
    locked(sql, () => makeTemplate(sql, template, empty, (name) => seed(urlOf(adminUrl, name)))),
  );
  return template;
};

/** Runs as a process of its own, as an operator would run it. */
const seed = async (databaseUrl: string): Promise<void> => {
  await promisify(execFile)(process.execPath, ["--import", "tsx", "drizzle/seed/seed.ts"], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: databaseUrl },
    maxBuffer: 16 * 1024 * 1024,
  });
};

/** One test run at a time prepares. */
const locked = async (sql: postgres.Sql, work: () => Promise<void>): Promise<void> => {
  await sql`select pg_advisory_lock(7463503)`;
  try {
    await work();
  } finally {
    await sql`select pg_advisory_unlock(7463503)`;
  }
};

/** Renamed when complete: an interrupted run leaves no half-made template. */
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
    // Without force: whoever still uses it keeps it.
    await sql`drop database if exists ${sql(name)}`.catch(() => {});
  }
  await sql`alter database template_unfinished rename to ${sql(template)}`;
};

export type ClonedDatabase = { url: string; drop(): Promise<void> };

let clones = 0;

export const cloneOf = async (adminUrl: string, template: string): Promise<ClonedDatabase> => {
  clones += 1;
  // The process id lets a later run tell which clones were left behind.
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
      await sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`;
      return;
    } catch (error) {
      if (!isBeingAccessed(error) || attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt));
    }
  }
};

/** Another session uses the template, if only to clone it. */
const isBeingAccessed = (error: unknown) => error instanceof postgres.PostgresError && error.code === "55006";

const asAdmin = async <Result>(adminUrl: string, work: (sql: postgres.Sql) => Promise<Result>): Promise<Result> => {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
};

const urlOf = (adminUrl: string, database: string): string => {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
};

/** Of the files in these folders, tests aside. */
const hashOf = (folders: string[]): string => {
  const hash = createHash("sha256");
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.includes(".test."))
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  for (const file of files.sort()) hash.update(path.relative(root, file)).update("\0").update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
};

/** Clones of test processes that have ended without dropping them. */
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
