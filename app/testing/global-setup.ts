/** Once per test run: a PostgreSQL server, and in it a migrated database to clone. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { migrate } from "../../drizzle/migrate.ts";
import { startPostgres } from "../../scripts/embedded-postgres.mjs";
import { asAdmin } from "./database.ts";

const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await openTestServer();
  project.provide("testDatabase", { adminUrl: server.adminUrl, template: await prepareTemplate(server.adminUrl) });
  return server.stop;
};
export default setup;

export type TestServer = { adminUrl: string; stop(): Promise<void> };

/** `TEST_DATABASE_URL` (a user who may create databases), else an embedded server in `.data/test-postgres`. */
export const openTestServer = async (): Promise<TestServer> => {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { adminUrl: given, stop: async () => {} };
  const dataDir = fileURLToPath(new URL("../../.data/test-postgres", import.meta.url));
  const server = await startPostgres({ dataDir, durable: false });
  return { adminUrl: server.url(), stop: server.stop };
};

/** The template's name says which migrations made it, so that it is made anew when they change. */
export const prepareTemplate = async (adminUrl: string): Promise<string> => {
  const template = `template_${migrationsHash()}`;
  await asAdmin(adminUrl, async (sql) => {
    await sql`select pg_advisory_lock(7463503)`;
    await dropLeftOvers(sql, template);
    const [existing] = await sql`select 1 from pg_database where datname = ${template}`;
    if (existing) return;
    // Renamed when complete: an interrupted run leaves no half-made template.
    await sql`drop database if exists template_unfinished with (force)`;
    await sql`create database template_unfinished`;
    const unfinished = new URL(adminUrl);
    unfinished.pathname = "/template_unfinished";
    await migrate(unfinished.href);
    await sql`alter database template_unfinished rename to ${sql(template)}`;
  });
  return template;
};

const migrationsHash = (): string => {
  const folder = new URL("../../drizzle/migrations/", import.meta.url);
  const hash = createHash("sha256");
  for (const name of readdirSync(folder).sort()) {
    if (name.endsWith(".sql")) hash.update(name).update(readFileSync(new URL(name, folder)));
  }
  return hash.digest("hex").slice(0, 16);
};

const dropLeftOvers = async (sql: Parameters<Parameters<typeof asAdmin>[1]>[0], template: string): Promise<void> => {
  const databases = await sql<{ name: string }[]>`
    select datname as name from pg_database where datname like 'test\_%' or datname like 'template\_%'`;
  for (const { name } of databases) {
    const owner = /^test_(\d+)_/.exec(name)?.[1];
    const isLeftOver =
      owner === undefined ? name !== template && name.startsWith("template_") : !isAlive(Number(owner));
    // Without force: whoever still uses it keeps it.
    if (isLeftOver) await sql`drop database if exists ${sql(name)}`.catch(() => {});
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};
