import { type SQL, sql } from "drizzle-orm";
import { capacityUnit, rateBasis } from "../catalogue/route.ts";
import { writeStagedReports } from "../catalogue/staged.server.ts";
import { diffOf } from "./diff-queries.server.ts";
import type { ImportSteps } from "./kind.server.ts";
import { lastRowOf } from "./staging-queries.server.ts";

/**
 * The staged rows with their route, period and service level, or null. A day belongs to the period that began last; a
 * retired one counts only where there is no other.
 */
const placedReports = (table: SQL): SQL => sql`
  select s.*, routes.id as route_id, routes.cargo_type::text as cargo_type, offered.levels,
    coalesce(s.service_level, offered.usual) as level, days.period_id
  from ${table} s
  left join routes on routes.code = s.route_code
  left join (
    select route_id, array_agg(level) as levels,
      coalesce(max(level) filter (where level = 'standard'), min(level)) as usual
    from service_levels group by route_id
  ) offered on offered.route_id = routes.id
  left join (
    select period_id, route_id, starts_on,
      least(ends_on, lead(starts_on) over (partition by route_id order by starts_on), 'infinity') as ends_on
    from (
      select distinct on (route_id, starts_on) id as period_id, route_id, starts_on, ends_on from periods p
      where retired_at is null or not exists (
        select from periods other
        where other.route_id = p.route_id and other.retired_at is null
          and other.starts_on < coalesce(p.ends_on, 'infinity') and p.starts_on < coalesce(other.ends_on, 'infinity'))
      order by route_id, starts_on, id
    ) counted
  ) days on days.route_id = routes.id
    and days.starts_on <= (s.observed_at at time zone 'UTC')::date
    and (s.observed_at at time zone 'UTC')::date < days.ends_on`;

/** A word by cargo type, as an SQL expression. */
const byCargoType = (words: Readonly<Record<string, string>>): SQL =>
  sql`case s.cargo_type ${sql.join(
    Object.entries(words).map(
      ([cargoType, word]) => sql`when ${sql.raw(`'${cargoType}'`)} then ${sql.raw(`'${word}'`)} `,
    ),
  )} end`;

const ownBasis = byCargoType(rateBasis);
const ownUnit = byCargoType(capacityUnit);

export const reportSteps: ImportSteps = {
  key: null,

  checkStaged: async (file, find) => {
    // One pass over the rows for all that concerns a single row.
    await find(
      "error",
      sql`select s.row, found."column", found.code, found.message, found.value
        from (${placedReports(file.table)}) s
        cross join lateral (values
          (s.route_id is null, 'route_code', 'unknown_code', s.route_code,
            'There is no such route. Correct the code, or import the route first'),
          (s.route_id is not null and s.period_id is null, 'observed_at', 'no_period', s.observed_at::text,
            'The route has no period for that day. Correct the time, or leave the line out'),
          (s.route_id is not null and not s.level = any(s.levels), 'data.service_level', 'unknown_code', s.level::text,
            'The route has ' || array_to_string(s.levels, ', ') || ' only'),
          (s.basis::text <> ${ownBasis}, 'data.basis', 'wrong_basis', s.basis::text,
            'Rates of ' || s.cargo_type || ' cargo are ' || ${ownBasis} || '. Write that'),
          (s.capacity_unit::text <> ${ownUnit}, 'data.unit', 'wrong_unit', s.capacity_unit::text,
            'Room for ' || s.cargo_type || ' cargo is counted in ' || ${ownUnit})
        ) found (holds, "column", code, value, message)
        where found.holds
          and (s.route_id is null or s.period_id is null or not s.level = any(s.levels)
            or s.basis::text <> ${ownBasis} or s.capacity_unit::text <> ${ownUnit})`,
    );
    await find(
      "error",
      sql`select s.row, 'observed_at' as "column", 'duplicate' as code, s.observed_at::text as value,
          'Row ' || twice.first_row || ' reports the same. Leave one of them out' as message
        from (${placedReports(file.table)}) s
        join (
          select period_id, observed_at, type, level, equipment_type, min(row) as first_row
          from (${placedReports(file.table)}) s where period_id is not null
          group by period_id, observed_at, type, level, equipment_type having count(*) > 1
        ) twice using (period_id, observed_at, type, level, equipment_type)
        where s.row > twice.first_row`,
    );
  },

  diff: (file) =>
    diffOf(
      { ...file, table: sql`(${placedReports(file.table)})` },
      {
        key: sql`s.route_code || ' ' || s.type || ' ' || to_char(s.observed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
        join: sql`left join reports old on old.period_id = s.period_id and old.observed_at = s.observed_at
          and old.type = s.type and old.service_level = s.level and old.equipment_type = s.equipment_type`,
        isNew: sql`old.id is null`,
        fields: Object.fromEntries(
          comparedColumns.map((column) => [column, [sql.raw(`old.${column}`), sql.raw(`s.${column}`)] as const]),
        ),
      },
    ),

  routes: (file) =>
    sql`select distinct routes.id as route_id from ${file.table} s join routes on routes.code = s.route_code`,

  countsWrites: true,
  apply: async ({ db, table, rows }, onProgress) => {
    const portion = (from: number, to: number) =>
      placedReports(sql`(select * from ${table} where row > ${from} and row <= ${to})`);
    const written = await writeStagedReports(db, { lastRow: await lastRowOf(db, table), portion }, onProgress);
    return { ...written, unchanged: rows - written.new - written.changed };
  },
};

const comparedColumns = [
  "vessel",
  "voyage",
  "etd",
  "eta",
  "transit_days",
  "basis",
  "currency",
  "base_rate_cents",
  "surcharges",
  "surcharges_cents",
  "available_capacity",
  "capacity_unit",
  "booking_status",
  "on_time_percent",
  "mean_delay_days",
  "external_id",
] as const;
