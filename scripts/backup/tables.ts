/** What a database has, as a backup sees it. */
import type { Partition, Table } from "./format.ts";
import type { Sql } from "./session.ts";

/** Those with data. `as_of` has only views, and the migrator keeps `drizzle`. */
export const dataSchemas = ["public", "history"];

/**
 * Partitions belong to their table, and the rows of unfinished imports are left out: they are in unlogged tables, and the
 * service asks for the file again when they are lost.
 */
export const tablesOf = async (sql: Sql): Promise<Table[]> => {
  const rows = await sql<Table[]>`
    select format('%s.%s', nspname, relname) as name, (
      select array_agg(attname::text order by attnum) from pg_attribute
      where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
    from pg_class class join pg_namespace space on space.oid = relnamespace
    where relkind in ('r', 'p') and not relispartition and nspname = any(${dataSchemas})
      and not (nspname = 'public' and relname ~ '^import_rows_[0-9]+(_resolved)?$')
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = class.oid and deptype = 'e')
    order by nspname desc, relname`;
  return rows.map(({ name, columns }) => ({ name, columns }));
};

/** Those of a span of time, which the service creates and drops itself. */
export const partitionsOf = async (sql: Sql): Promise<Partition[]> => {
  const rows = await sql<Partition[]>`
    select child.relname::text as name, parent.relname::text as parent, pg_get_expr(child.relpartbound, child.oid) as bound
    from pg_inherits
    join pg_class child on child.oid = inhrelid
    join pg_class parent on parent.oid = inhparent
    join pg_namespace space on space.oid = child.relnamespace
    where nspname = 'public' and child.relispartition and child.relkind = 'r'
      and pg_get_expr(child.relpartbound, child.oid) like 'FOR VALUES FROM%'
    order by name`;
  return rows.map(({ name, parent, bound }) => ({ name, parent, bound }));
};

export const sequencesOf = async (sql: Sql): Promise<{ name: string; lastValue: string; isCalled: boolean }[]> => {
  const names = await sql<{ name: string }[]>`
    select format('%s.%s', nspname, relname) as name
    from pg_class class join pg_namespace space on space.oid = relnamespace
    where relkind = 'S' and nspname = any(${dataSchemas}) order by nspname desc, relname`;
  const sequences = [];
  for (const { name } of names) {
    const [row] = await sql.unsafe<{ lastValue: string; isCalled: boolean }[]>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${quoted(name)}`,
    );
    sequences.push({ name, lastValue: row?.lastValue ?? "1", isCalled: row?.isCalled ?? false });
  }
  return sequences;
};

/** `public.accounts` as PostgreSQL reads it. */
export const quoted = (name: string): string =>
  name
    .split(".")
    .map((part) => `"${part}"`)
    .join(".");

export const quotedList = (names: string[]): string => names.map(quoted).join(", ");
