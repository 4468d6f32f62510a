/**
 * Restores a backup in one transaction: migrations up to the backup's, then the rows. Needs no superuser, only the ownership
 * of the database or of its tables. If anything fails, the database is as before.
 */
import { copyInto } from "#app/platform/copy-into.ts";
import { applyWithin, migrate, migrationLock } from "#drizzle/migrate.ts";
import { type Migration, readMigrations } from "#drizzle/migrations.ts";
import { BackupTrouble, type Contents, type Manifest, type Partition } from "./format.ts";
import type { OpenBackup } from "./read-backup.ts";
import { inTransaction, type Sql, sessionName } from "./session.ts";
import { dataSchemas, partitionsOf, quoted, quotedList, tablesOf } from "./tables.ts";

export type RestoreOptions = {
  /** Whether what is in the database may be deleted. */
  replace: boolean;
  progress?: (table: string, rows: number) => void;
};

/** Also migrates it to the schema of this release. @throws BackupTrouble, SchemaTrouble */
export const restore = async (url: string, backup: OpenBackup, options: RestoreOptions): Promise<{ rows: number }> => {
  const restored = await restoreRows(url, backup, options);
  await migrate(url);
  await inTransaction(url, "", (sql) => sql`analyze`);
  return restored;
};

/** The database gets the schema that the backup's has. @throws BackupTrouble */
export const restoreRows = (url: string, backup: OpenBackup, options: RestoreOptions): Promise<{ rows: number }> =>
  inTransaction(url, "", async (sql) => {
    const migrations = migrationsFor(backup.manifest);
    await claim(sql);
    await makeEmpty(sql, options.replace);
    await applyWithin(sql, migrations);
    const { tables } = await fill(sql, backup, options);
    return { rows: tables.reduce((sum, { rows }) => sum + rows, 0) };
  });

/** @throws BackupTrouble if this release does not know the backup's schema */
const migrationsFor = ({ migrations, release }: Manifest): Migration[] => {
  const last = Math.max(0, ...migrations.map(({ createdAt }) => createdAt));
  const known = readMigrations();
  if (!known.some(({ createdAt }) => createdAt === last)) {
    const name = migrations.find(({ createdAt }) => createdAt === last)?.name ?? new Date(last).toISOString();
    throw new BackupTrouble(
      `The backup has a schema (${name}) that this release does not know. Restore it with the release that made it (${release}) or a newer one.`,
    );
  }
  return known.filter(({ createdAt }) => createdAt <= last);
};

/** Services that start meanwhile wait for this lock. @throws BackupTrouble if one runs already */
const claim = async (sql: Sql): Promise<void> => {
  const [lock] = await sql<{ taken: boolean }[]>`select pg_try_advisory_xact_lock(${migrationLock}) as taken`;
  const running = await sql`
    select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and application_name like 'shipping-route-data-service%' and application_name <> ${sessionName}`;
  if (!lock?.taken || running.length > 0) {
    throw new BackupTrouble("The service runs on this database. Stop it, on every machine, and try again.");
  }
};

const makeEmpty = async (sql: Sql, replace: boolean): Promise<void> => {
  const relations = await relationsOf(sql);
  if (relations.length === 0) return;
  if (!replace) {
    throw new BackupTrouble(
      "The database is not empty. Restore into an empty one, or add --replace to delete what is in it.",
    );
  }
  await sql.unsafe(`drop schema if exists ${["history", "as_of", "drizzle"].join(", ")} cascade`);
  for (const { kind, name } of await relationsOf(sql)) await sql.unsafe(`drop ${kind} if exists ${name} cascade`);
};

/**
 * What is in the schema of the service, which is kept itself: it may belong to somebody else. Without what belongs to an
 * extension, or goes with its table.
 */
const relationsOf = (sql: Sql) => sql<{ kind: string; name: string }[]>`
  with space as (select oid from pg_namespace where nspname = 'public'),
  members as (
    select objid from pg_depend where deptype = 'e'
      or deptype in ('a', 'i') and classid = 'pg_class'::regclass and refclassid = 'pg_class'::regclass
  )
  select case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end as kind,
    class.oid::regclass::text as name
  from pg_class class where relnamespace = (select oid from space) and relkind in ('r', 'p', 'v', 'm', 'S')
    and class.oid not in (select objid from members) and not relispartition
  union all
  select 'routine', function.oid::regprocedure::text from pg_proc function
  where pronamespace = (select oid from space) and function.oid not in (select objid from members)
  union all
  select 'type', type.oid::regtype::text from pg_type type
  where typnamespace = (select oid from space) and (typtype in ('e', 'd') or typtype = 'c' and exists (
    select from pg_class where pg_class.oid = typrelid and relkind = 'c'
  )) and type.oid not in (select objid from members)`;

const fill = async (sql: Sql, backup: OpenBackup, options: RestoreOptions): Promise<Contents> => {
  checkTables(await tablesOf(sql), backup.manifest);
  const constraints = await foreignKeys(sql);
  const tables = backup.manifest.tables.map(({ name }) => name);
  // Triggers would record changes, and foreign keys would demand an order that cycles do not have.
  for (const { table, name } of constraints) await sql.unsafe(`alter table ${table} drop constraint ${name}`);
  for (const name of tables) await sql.unsafe(`alter table ${quoted(name)} disable trigger user`);
  // Some migrations write rows.
  await sql.unsafe(`truncate ${quotedList(tables)}`);
  await createPartitions(sql, backup.manifest.partitions);

  const columns = new Map(backup.manifest.tables.map((table) => [table.name, table.columns]));
  for await (const { name, rows } of backup.tables()) {
    const list = columns.get(name);
    if (!list) throw new BackupTrouble(`The backup has rows of ${name}, which its manifest does not name.`);
    await copyInto(sql, `copy ${quoted(name)} (${quotedList(list)}) from stdin`, rows);
  }
  const contents = backup.contents();
  for (const { name, rows } of contents.tables) {
    const [found] = await sql.unsafe<{ rows: string }[]>(`select count(*) as rows from ${quoted(name)}`);
    if (Number(found?.rows) !== rows) throw new BackupTrouble(`${name} has ${found?.rows} rows instead of ${rows}.`);
    options.progress?.(name, rows);
  }
  for (const { name, lastValue, isCalled } of contents.sequences) {
    await sql`select setval(${quoted(name)}::regclass, ${lastValue}::text::bigint, ${isCalled})`;
  }
  for (const name of tables) await sql.unsafe(`alter table ${quoted(name)} enable trigger user`);
  // Checks every row.
  for (const { table, name, definition } of constraints) {
    await sql.unsafe(`alter table ${table} add constraint ${name} ${definition}`);
  }
  return contents;
};

/** @throws BackupTrouble if the backup has other tables or columns than its migrations make */
const checkTables = (made: Manifest["tables"], { tables }: Manifest): void => {
  const described = (list: Manifest["tables"]) =>
    new Set(list.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`)));
  const [expected, found] = [described(made), described(tables)];
  const differing = [...expected, ...found].filter((name) => expected.has(name) !== found.has(name));
  if (differing.length > 0) {
    throw new BackupTrouble(
      `The schema of the backup differs from that of its migrations: ${differing.slice(0, 5).join(", ")}. It was changed by hand.`,
    );
  }
};

const foreignKeys = (sql: Sql) => sql<{ table: string; name: string; definition: string }[]>`
  select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(con.oid) as definition
  from pg_constraint con join pg_namespace space on space.oid = connamespace
  where contype = 'f' and conparentid = 0 and nspname = any(${dataSchemas}) order by 1, 2`;

/** As the service makes them: a partition has the columns of its parent, and its indexes. */
const createPartitions = async (sql: Sql, partitions: Partition[]): Promise<void> => {
  const existing = new Set((await partitionsOf(sql)).map(({ name }) => name));
  for (const { name, parent, bound } of partitions) {
    if (existing.has(name)) continue;
    await sql.unsafe(`create table ${quoted(name)} (like ${quoted(parent)} including defaults)`);
    await sql.unsafe(`alter table ${quoted(parent)} attach partition ${quoted(name)} ${bound}`);
  }
};
