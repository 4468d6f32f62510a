/** Compares staged rows with the records of the catalogue. */
import { type SQL, sql } from "drizzle-orm";
import { currency as catalogueCurrency, minorDigitsOf } from "../money.ts";
import type { StagedFile } from "./kind.server.ts";
import { changesShown, type Diff } from "./kind.ts";
import type { RecordChange } from "./preview.ts";

export type Comparison = {
  /** Identifies the record, as text. */
  key: SQL;
  /** Joins the catalogue's record, if it exists, to the staged row `s`. */
  join: SQL;
  isNew: SQL;
  /** The route that the row concerns, if that takes no join. Files of many rows would be too slow to compare twice. */
  routeId?: SQL;
  /** What is compared, by the file's column. */
  fields: Record<string, Values>;
  /** What a preview shows instead of a compared value. With `write`, it writes the value as text. */
  shown?: Record<string, { values: Values; write?: (value: unknown) => string }>;
};

type Values = readonly [before: SQL, after: SQL];

/** For kinds with a record on each row. */
export const diffOf = async (
  { db, table }: StagedFile,
  { key, join, isNew, routeId, fields, shown: shownAs = {} }: Comparison,
): Promise<Diff> => {
  const changed = differing(fields);
  const [found] = await db.execute<Diff["counts"] & { shown: number[] | null; routes: number[] | null }>(sql`
    with compared as materialized (
      select s.row, (${isNew}) as is_new, (${changed}) as differs, ${routeId ?? sql`null::int`} as route_id
      from ${table} s ${join}
    )
    select count(*) filter (where is_new)::int as new,
      count(*) filter (where not is_new and differs)::int as changed,
      count(*) filter (where not is_new and not differs)::int as unchanged,
      (select array_agg(row) from (
        select row from compared where is_new or differs order by is_new, row limit ${changesShown}) first) as shown,
      (select array_agg(route_id) from (
        select distinct route_id from compared where is_new or differs) concerned) as routes
    from compared`);
  if (!found) throw new Error("The comparison returned nothing");
  const { shown, routes, ...counts } = found;
  return {
    counts,
    changes: shown ? await changesOf(shown) : [],
    prices: [],
    ...(routeId ? { routeIds: routes ?? [] } : {}),
  };

  async function changesOf(rows: number[]): Promise<RecordChange[]> {
    const values = sql.join(
      Object.entries(fields).map(([name, compared]) => {
        const [before, after] = shownAs[name]?.values ?? compared;
        return sql`case when ${isDistinct(compared)} then
          jsonb_build_object('name', ${name}::text, 'before', (${before})::text, 'after', (${after})::text) end`;
      }),
      sql`, `,
    );
    const found = await db.execute<RecordChange>(sql`
      select ${key} as key, (
          select coalesce(jsonb_agg(f), '[]') from jsonb_array_elements(jsonb_build_array(${values})) f
          where f <> 'null') as fields
      from ${table} s ${join}
      where s.row in (${sql.join(
        rows.map((row) => sql`${row}`),
        sql`, `,
      )})
      order by ${isNew}, s.row`);
    return found.map(({ key, fields }) => ({ key, fields: fields.map(written) }));
  }

  function written({ name, before, after }: RecordChange["fields"][number]): RecordChange["fields"][number] {
    const write = shownAs[name]?.write;
    const text = (value: string | null) => (value === null || !write ? value : write(JSON.parse(value)));
    return { name, before: text(before), after: text(after) };
  }
};

const differing = (fields: Comparison["fields"]): SQL =>
  sql.join(
    Object.values(fields).map((values) => isDistinct(values)),
    sql` or `,
  );

const isDistinct = ([before, after]: Values): SQL => sql`(${before}) is distinct from (${after})`;

/**
 * The existing routes that changed records concern, for a preview.
 *
 * @param toRoutes joins `routes` to the catalogue's record or to the staged row, unless `join` does
 */
export const routesChangedBy = (
  { table }: StagedFile,
  { join, isNew, fields }: Comparison,
  toRoutes: SQL = sql``,
): SQL => sql`
  select routes.id as route_id from ${table} s ${join} ${toRoutes}
  where routes.id is not null and ((${isNew}) or ${differing(fields)})`;

/** An instant to the minute, in UTC. */
export const inUtc = (instant: SQL): SQL => sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')`;

/** An amount of minor units as it is written in files. */
export const majorUnits = (amount: SQL, currency: SQL = sql`${catalogueCurrency}::text`): SQL => {
  const decimals = sql`coalesce((${unusualDecimals}::jsonb ->> ${currency})::integer, 2)`;
  return sql`round(${amount} / 10::numeric ^ ${decimals}, ${decimals})::text`;
};

/** The decimals of the currencies that do not have two. */
const unusualDecimals = JSON.stringify(
  Object.fromEntries(
    Intl.supportedValuesOf("currency")
      .map((code) => [code, minorDigitsOf(code)] as const)
      .filter(([, decimals]) => decimals !== 2),
  ),
);
