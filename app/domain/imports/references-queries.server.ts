/** Checks that the codes in a file name records of the catalogue. */
import { type SQL, sql } from "drizzle-orm";
import type { Find, StagedFile } from "./kind.server.ts";

const referenced = {
  region: { records: sql`select code, retired_at from regions`, word: "region" },
  carrier: { records: sql`select code, retired_at from carriers`, word: "carrier" },
  trade_lane: { records: sql`select code, retired_at from trade_lanes`, word: "trade lane" },
  route_group: { records: sql`select code, retired_at from route_groups`, word: "route group" },
  route: { records: sql`select code, retired_at from routes`, word: "route" },
} as const;

/**
 * An unknown code is an error. A retired record is a warning, as whatever is new under it is retired with it.
 *
 * @param column the staging column that holds the code, named as in the file
 */
export const checkReference = async (
  { table }: StagedFile,
  find: Find,
  { column, to }: { column: string; to: keyof typeof referenced },
): Promise<void> => {
  const { records, word } = referenced[to];
  const code = sql`s.${sql.identifier(column)}`;
  await find(
    "error",
    sql`select s.row, ${column}::text as "column", 'unknown_code' as code, ${code} as value,
        ${`Unknown ${word}. Correct the code, or import the ${word} first`}::text as message
      from ${table} s where not exists (select from (${records}) known where known.code = ${code})`,
  );
  await find(
    "warning",
    sql`select s.row, ${column}::text as "column", 'retired' as code, ${code} as value,
        ${`The ${word} is retired, so new records under it are retired too. Restore it to offer both`}::text as message
      from ${table} s join (${records}) known on known.code = ${code} where known.retired_at is not null`,
  );
};

/** A record with `cargo_types` must keep those of its routes. @param routes of the staged row `s` */
export const checkCargoTypesKept = (
  { table }: StagedFile,
  find: Find,
  { word, routes }: { word: string; routes: SQL },
): Promise<void> =>
  find(
    "error",
    sql`select s.row, 'cargo_types' as "column", 'wrong_cargo_type' as code, array_to_string(s.cargo_types, '|') as value,
        ${`The ${word} has `}::text || string_agg(distinct r.cargo_type::text, ', ') || ' routes. Keep that cargo type' as message
      from ${table} s join lateral (${routes}) r on not r.cargo_type = any(s.cargo_types)
      group by s.row, s.cargo_types`,
  );
