import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "#drizzle/migrate.ts";
import { ensureServiceDatabase } from "./service-role.ts";
import { type EmbeddedPostgres, ensureDatabase, startPostgres } from "./start.ts";

let server: EmbeddedPostgres;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "service-role-"));
  server = await startPostgres({ dataDir: path.join(folder, "postgres"), durable: false });
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const query = async <Row extends postgres.Row>(url: string, text: string): Promise<Row[]> => {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await sql.unsafe<Row[]>(text);
  } finally {
    await sql.end();
  }
};

/** What the role does not own, apart from PostgreSQL's own objects and those of extensions. */
const notOwned = `
  select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and pg_get_userbyid(c.relowner) <> current_user
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  union all
  select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and pg_get_userbyid(p.proowner) <> current_user
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  union all
  select t.typname from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and pg_get_userbyid(t.typowner) <> current_user
      and not exists (select from pg_depend d where d.objid = coalesce(nullif(t.typelem, 0), t.oid) and d.deptype = 'e')
  union all
  select nspname from pg_namespace
    where nspname !~ '^pg_' and nspname not in ('information_schema', 'public') and pg_get_userbyid(nspowner) <> current_user`;

describe.each([
  ["a new database", async () => {}],
  [
    "a database from before the role",
    async (name: string) => {
      await ensureDatabase(server, name);
      await migrate(server.url(name));
    },
  ],
])("The service's role on %s", (_, prepare) => {
  const name = `service_${randomBytes(4).toString("hex")}`;
  let url: string;
  beforeAll(async () => {
    await prepare(name);
    url = await ensureServiceDatabase(server, name);
    await migrate(url);
  });

  it("is no superuser and may create neither databases nor roles", async () => {
    const [role] = await query(
      url,
      "select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = current_user",
    );
    expect(Object.values(role ?? {})).toEqual([false, false, false, false, false]);
    await expect(query(url, "create database other")).rejects.toThrow("permission denied");
    await expect(query(url, "create role other superuser")).rejects.toThrow("permission denied");
    await expect(query(url, "alter role current_user superuser")).rejects.toThrow("permission denied");
  });

  it("owns everything in its database, so that migrations can change it", async () => {
    expect(await query(url, notOwned)).toEqual([]);
    await query(url, "alter table accounts add column tried text; alter table accounts drop column tried");
  });

  it.each([
    "copy (select 1) to program 'true'",
    "create temporary table lines (line text); copy lines from program 'id'",
    "create temporary table lines (line text); copy lines from '/etc/passwd'",
    "copy (select 1) to '/tmp/service-role-was-here'",
    "select pg_read_file('/etc/passwd')",
    "select pg_ls_dir('/')",
    "select lo_import('/etc/passwd')",
    "create extension adminpack",
    "create function run() returns int language c as '/lib/x86_64-linux-gnu/libc.so.6', 'system'",
    "alter system set log_statement = 'all'",
  ])("may not: %s", async (text) => {
    await expect(query(url, text)).rejects.toThrow(/permission denied|is not available/);
  });

  it("is made once, and stays as it is at later starts", async () => {
    expect(await ensureServiceDatabase(server, name)).toBe(url);
    expect(await Promise.all([ensureServiceDatabase(server, name), ensureServiceDatabase(server, name)])).toEqual([
      url,
      url,
    ]);
    expect(await query(url, "select count(*)::int as count from accounts")).toEqual([{ count: 0 }]);
  });

  it("loses rights that it was given", async () => {
    await query(server.url(), "alter role service_owner superuser createdb");
    await ensureServiceDatabase(server, name);
    expect(
      await query(url, "select rolsuper or rolcreatedb as more from pg_roles where rolname = current_user"),
    ).toEqual([{ more: false }]);
  });
});
