/**
 * The role that the service uses on the embedded PostgreSQL. It owns the service's database and is no superuser: a query that
 * an attacker could change would reach neither files, nor programs, nor other databases. See docs/decisions/0048.
 */
import { createHmac } from "node:crypto";
import postgres from "postgres";
import type { EmbeddedPostgres } from "./start.ts";
import { codeOf } from "./trouble.ts";

/** The superuser is called `service`. */
export const serviceRole = "service_owner";
/** Only one process at a time changes roles and owners. The number is arbitrary. */
const ownerLock = 7_463_504;

/**
 * Creates the database unless it exists, and gives it with all its contents to the service's role.
 *
 * @param server its `url` is that of the superuser, as it is for maintenance
 * @returns the URL for the service
 */
export const ensureServiceDatabase = async (
  server: Pick<EmbeddedPostgres, "url">,
  database = "service",
): Promise<string> => {
  await asSuperuser(server.url(), async (sql) => {
    await ensureServiceRole(sql, server.url());
    const [existing] = await sql<{ owner: string }[]>`
      select pg_get_userbyid(datdba) as owner from pg_database where datname = ${database}`;
    if (!existing) await sql`create database ${sql(database)} owner ${sql(serviceRole)}`.catch(ignoreRace);
    else if (existing.owner !== serviceRole) await sql`alter database ${sql(database)} owner to ${sql(serviceRole)}`;
    if (existing) await asSuperuser(server.url(database), (inside) => inside.unsafe(handOver));
  });
  return serviceUrl(server.url(database)).href;
};

/** The same address for the service's role. Its password follows from the superuser's, and not the other way round. */
export const serviceUrl = (superuserUrl: string): URL => {
  const url = new URL(superuserUrl);
  url.password = createHmac("sha256", url.password).update(serviceRole).digest("hex");
  url.username = serviceRole;
  return url;
};

/** Creates the role unless it exists. From one that does, takes away what it should not have. Others wait for the connection's end. */
export const ensureServiceRole = async (sql: postgres.Sql, superuserUrl: string): Promise<void> => {
  const { password } = serviceUrl(superuserUrl);
  await sql`select pg_advisory_lock(${ownerLock})`;
  const [existing] = await sql`select 1 from pg_roles where rolname = ${serviceRole}`;
  await sql.unsafe(
    `${existing ? "alter" : "create"} role ${serviceRole} with login nosuperuser nocreatedb nocreaterole noreplication ` +
      `nobypassrls password '${password}'`,
  );
};

/**
 * Of databases from before the role: everything that belongs to the superuser, apart from what belongs to PostgreSQL itself and to
 * extensions. `REASSIGN OWNED` refuses, as the superuser also owns the system. Does nothing if nothing is left.
 */
const handOver = `do $$
declare
  change text;
begin
  for change in
    with mine as (select oid from pg_roles where rolname = current_user),
    spaces as (
      select oid, nspname, nspowner from pg_namespace
      where nspname !~ '^pg_' and nspname <> 'information_schema'
    ),
    foreign_parts as (select classid, objid from pg_depend where deptype = 'e')
    select format('alter schema %I owner to ${serviceRole}', nspname)
      from spaces where nspowner = (select oid from mine)
    union all
    select format('alter table %s owner to ${serviceRole}', c.oid::regclass)
      from pg_class c join spaces on spaces.oid = c.relnamespace
      where c.relowner = (select oid from mine) and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
        and ('pg_class'::regclass, c.oid) not in (select classid, objid from foreign_parts)
        -- A sequence of a column changes hands with its table.
        and not exists (
          select from pg_depend d
          where c.relkind = 'S' and d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')
            and d.refclassid = 'pg_class'::regclass)
    union all
    select format('alter routine %s owner to ${serviceRole}', p.oid::regprocedure)
      from pg_proc p join spaces on spaces.oid = p.pronamespace
      where p.proowner = (select oid from mine)
        and ('pg_proc'::regclass, p.oid) not in (select classid, objid from foreign_parts)
    union all
    select format('alter type %s owner to ${serviceRole}', t.oid::regtype)
      from pg_type t join spaces on spaces.oid = t.typnamespace
      where t.typowner = (select oid from mine)
        -- Enums, domains, ranges, and composite types that are no table's.
        and (t.typtype in ('e', 'd', 'r') or exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c'))
        and ('pg_type'::regclass, t.oid) not in (select classid, objid from foreign_parts)
  loop
    execute change;
  end loop;
end $$`;

const asSuperuser = async <Result>(url: string, work: (sql: postgres.Sql) => Promise<Result>): Promise<Result> => {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
};

/** Another process created it meanwhile: duplicate_database, unique_violation. */
const ignoreRace = (error: unknown): void => {
  if (!["42P04", "23505"].includes(codeOf(error))) throw error;
};
