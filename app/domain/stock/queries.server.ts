import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../platform/db.server.ts";
import type { RecordKind } from "../catalogue/record-kinds.ts";
import type { Day } from "../dates.ts";
import { containsPattern } from "../like.ts";
import type { RecordValues } from "./records.ts";

/** `codes` holds every code of the record. */
type Row = { id: number; retired_at: string | null; codes: string[]; record: RecordValues };

/** Every kind with its fields as text: the names are those of the forms. */
const selectOf: Record<RecordKind, SQL> = {
  region: sql`select id, retired_at, array[code] as codes, jsonb_build_object('record_code', code, 'name', name,
      'geography', geography) as record from regions`,
  port: sql`select p.id, p.retired_at, p.unlocode || p.alt_unlocodes as codes, jsonb_build_object('record_code', unlocode,
      'name', p.name, 'region_code', r.code, 'lat', lat::text, 'lon', lon::text, 'timezone', timezone,
      'cargo_types', array_to_string(cargo_types::text[], '|'), 'tier', tier::text,
      'alt_unlocodes', array_to_string(alt_unlocodes, '|'), 'country', country) as record
    from ports p join regions r on r.id = p.region_id`,
  carrier: sql`select id, retired_at, array[code] as codes, jsonb_build_object('record_code', code, 'name', name,
      'cargo_types', array_to_string(cargo_types::text[], '|')) as record from carriers`,
  trade_lane: sql`select l.id, l.retired_at, array[l.code] as codes, jsonb_build_object('record_code', l.code,
      'name', l.name, 'origin_region_code', o.code, 'destination_region_code', d.code, 'haul', haul) as record
    from trade_lanes l join regions o on o.id = l.origin_region_id join regions d on d.id = l.destination_region_id`,
  route_group: sql`select g.id, g.retired_at, array[g.code] as codes, jsonb_build_object('record_code', g.code,
      'name', g.name, 'trade_lane_code', l.code, 'cargo_type', cargo_type) as record
    from route_groups g join trade_lanes l on l.id = g.trade_lane_id`,
  route: sql`select r.id, r.retired_at, array[r.code] as codes, jsonb_build_object('record_code', r.code, 'name', r.name,
      'route_group_code', g.code, 'carrier_code', c.code, 'origin_unlocode', o.unlocode,
      'destination_unlocode', d.unlocode, 'via_unlocodes', '', 'distance_nm', distance_nm::text,
      'sailings_per_week', sailings_per_week::text, 'departure_weekdays', (select string_agg(
        (array['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'])[weekday], '|' order by weekday)
        from unnest(departure_weekdays) as weekday))
      || (select jsonb_object_agg(level::text || '_days', transit_days::text) from service_levels s where s.route_id = r.id)
      as record
    from routes r
    join route_groups g on g.id = r.route_group_id
    join carriers c on c.id = r.carrier_id
    join ports o on o.id = r.origin_port_id
    join ports d on d.id = r.destination_port_id`,
  period: sql`select p.id, p.retired_at, array[p.code] as codes, jsonb_build_object('record_code', p.code, 'name', p.name,
      'route_code', r.code, 'starts_on', p.starts_on::text, 'ends_on', coalesce(p.ends_on::text, ''),
      'freshness', p.freshness) as record
    from periods p join routes r on r.id = p.route_id`,
};

export type StockRecord = { id: number; retiredAt: Date | null; values: RecordValues };

const recordOf = ({ id, retired_at, record }: Row): StockRecord => ({
  id,
  retiredAt: retired_at === null ? null : new Date(retired_at),
  values: record,
});

/** By id, or by any of its codes. Null: there is none. */
export const findRecord = async (
  db: Tx,
  kind: RecordKind,
  by: { id: number } | { code: string },
): Promise<StockRecord | null> => {
  const condition = "id" in by ? sql`id = ${by.id}` : sql`${by.code} = any(codes)`;
  const [row] = await db.execute<Row>(sql`select * from (${selectOf[kind]}) as records where ${condition} limit 1`);
  return row ? recordOf(row) : null;
};

export type RecordSearch = { q?: string | undefined; state?: "offered" | "retired" | undefined };

/** By code, after `after`. */
export const searchRecords = async (
  db: Tx,
  kind: RecordKind,
  { q, state }: RecordSearch,
  { limit, after }: { limit: number; after: string | null },
): Promise<StockRecord[]> => {
  const conditions = [
    sql`true`,
    ...(q === undefined ? [] : [sql`concat_ws(' ', codes::text, record) ilike ${containsPattern(q)}`]),
    ...(state === undefined ? [] : [state === "retired" ? sql`retired_at is not null` : sql`retired_at is null`]),
    ...(after === null ? [] : [sql`codes[1] > ${after}`]),
  ];
  const rows = await db.execute<Row>(sql`select * from (${selectOf[kind]}) as records
    where ${sql.join(conditions, sql` and `)} order by codes[1] limit ${limit}`);
  return rows.map(recordOf);
};

/** The records that a form can refer to, by name. If there are more than `limit`, any `limit` of them. */
export const listChoices = async (
  db: Tx,
  kind: RecordKind,
  limit: number,
): Promise<{ code: string; name: string }[]> => [
  ...(await db.execute<{ code: string; name: string }>(sql`
    select codes[1] as code, record->>'name' as name
    from (select * from (${selectOf[kind]}) as records where retired_at is null limit ${limit}) as choices
    order by 2, 1`)),
];

export const countRecords = async (db: Tx): Promise<{ kind: RecordKind; offered: number; retired: number }[]> => [
  ...(await db.execute<{ kind: RecordKind; offered: number; retired: number }>(
    sql.join(
      (Object.keys(selectOf) as RecordKind[]).map(
        (
          kind,
        ) => sql`select ${sql.raw(`'${kind}'`)} as kind, count(*) filter (where retired_at is null)::int as offered,
          count(retired_at)::int as retired from ${sql.identifier(`${kind}s`)}`,
      ),
      sql` union all `,
    ),
  )),
];

/** Another port that has one of these codes. */
export const otherPortWith = async (tx: Tx, codes: readonly string[], own: string): Promise<string | null> => {
  const [row] = await tx.execute<{ unlocode: string }>(sql`
    select unlocode from ports where unlocode <> ${own}
      and (unlocode || alt_unlocodes) && ${sql.param(codes)}::text[] limit 1`);
  return row?.unlocode ?? null;
};

/** A period on offer of the route that covers one of these days. @param endsOn exclusive; null: open */
export const overlappingPeriod = async (
  tx: Tx,
  { routeCode, startsOn, endsOn, except }: { routeCode: string; startsOn: Day; endsOn: Day | null; except: string },
): Promise<{ code: string; endsOn: Day | null } | null> => {
  const [row] = await tx.execute<{ code: string; ends_on: string | null }>(sql`
    select p.code, p.ends_on::text from periods p join routes r on r.id = p.route_id
    where r.code = ${routeCode} and p.code <> ${except} and p.retired_at is null
      and daterange(p.starts_on, p.ends_on) && daterange(${startsOn}::date, ${endsOn}::date)
    order by p.starts_on limit 1`);
  return row ? { code: row.code, endsOn: row.ends_on } : null;
};

export const hasSubscribers = async (tx: Tx, routeId: number, today: Day): Promise<boolean> => {
  const [row] = await tx.execute(
    sql`select from subscriptions where route_id = ${routeId} and end_date > ${today} limit 1`,
  );
  return row !== undefined;
};

export const hasRoutes = async (tx: Tx, groupCode: string): Promise<boolean> => {
  const [row] = await tx.execute(sql`
    select from routes r join route_groups g on g.id = r.route_group_id where g.code = ${groupCode} limit 1`);
  return row !== undefined;
};

export const codesOfRegionsAndPorts = async (tx: Tx): Promise<Set<string>> => {
  const rows = await tx.execute<{ code: string }>(sql`select code from regions union select unlocode from ports`);
  return new Set(rows.map(({ code }) => code));
};
