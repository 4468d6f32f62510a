/** Compares staged rows with the records of the catalogue. */
import { type SQL, sql } from "drizzle-orm";
import type { StagedFile } from "./kind.server.ts";
import { changesShown, type Diff } from "./kind.ts";
import type { RecordChange } from "./preview.ts";

export type Comparison = {
  /** Identifies the record, as text. */
  key: SQL;
  /** Joins the catalogue's record, if it exists, to the staged row `s`. */
  join: SQL;
  isNew: SQL;
  /** Before and after, by the file's column. */
  fields: Record<string, readonly [before: SQL, after: SQL]>;
};

/** For kinds with a record on each row. */
export const diffOf = async ({ db, table }: StagedFile, { key, join, isNew, fields }: Comparison): Promise<Diff> => {
  const pairs = Object.entries(fields);
  const changed = sql.join(
    pairs.map(([, [before, after]]) => sql`(${before}) is distinct from (${after})`),
    sql` or `,
  );
  const [counts] = await db.execute<Diff["counts"]>(sql`
    select count(*) filter (where ${isNew})::int as new,
      count(*) filter (where not (${isNew}) and (${changed}))::int as changed,
      count(*) filter (where not (${isNew}) and not (${changed}))::int as unchanged
    from ${table} s ${join}`);
  const values = sql.join(
    pairs.map(
      ([name, [before, after]]) =>
        sql`jsonb_build_object('name', ${name}::text, 'before', (${before})::text, 'after', (${after})::text)`,
    ),
    sql`, `,
  );
  const changes = await db.execute<RecordChange>(sql`
    select key, (select jsonb_agg(f) from jsonb_array_elements(fields) f where f->'before' is distinct from f->'after') as fields
    from (
      select ${key} as key, s.row, (${isNew}) as is_new, jsonb_build_array(${values}) as fields
      from ${table} s ${join} where (${isNew}) or ${changed}
      order by is_new, s.row limit ${changesShown}
    ) shown order by is_new, row`);
  return { counts: counts ?? { new: 0, changed: 0, unchanged: 0 }, changes: [...changes], prices: [] };
};
