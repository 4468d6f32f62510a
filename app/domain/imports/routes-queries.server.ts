import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../platform/db.server.ts";
import type { ImportedRoute } from "../catalogue/import-records.ts";
import type { StagedFile } from "./kind.server.ts";
import type { KnownCatalogue, KnownPort, RouteFinding, RouteLine } from "./routes.ts";

/** The lines of the next routes by code. */
export const linesAfter = async (
  tx: Tx,
  table: SQL,
  { code, routes }: { code: string; routes: number },
): Promise<RouteLine[]> => {
  const rows = await tx.execute<{ line: RouteLine }>(sql`
    select to_jsonb(s) as line from ${table} s
    where code in (select distinct code from ${table} where code > ${code} order by code limit ${routes})
    order by code, row`);
  return rows.map(({ line }) => line);
};

export const findings = (found: readonly RouteFinding[]): SQL => sql`
  select * from jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
    as f(row integer, "column" text, code text, message text, value text)`;

/** Carriers that the file names, and those that are new to a cargo type. */
export const newCarriers = ({ table }: StagedFile): SQL => sql`(
  select s.carrier_code as code, coalesce(old.name, min(s.carrier_name)) as name,
    coalesce(old.cargo_types, '{}') || array_agg(distinct s.cargo_type order by s.cargo_type) as cargo_types
  from ${table} s left join carriers old on old.code = s.carrier_code
  where not coalesce(s.cargo_type = any(old.cargo_types), false)
  group by s.carrier_code, old.name, old.cargo_types
)`;

/** Existing routes of which the file says something new. Their paths are not compared. */
export const concernedRoutes = ({ table }: StagedFile): SQL => sql`
  select routes.id as route_id from ${table} s
  join routes on routes.code = s.code
  join route_groups on route_groups.id = routes.route_group_id
  join carriers on carriers.id = routes.carrier_id
  join ports origin on origin.id = routes.origin_port_id
  join ports destination on destination.id = routes.destination_port_id
  left join service_levels on service_levels.route_id = routes.id and service_levels.level = s.service_level
  where (routes.name, route_groups.code, carriers.code, routes.distance_nm, routes.sailings_per_week,
      routes.departure_weekdays, service_levels.transit_days)
    is distinct from (s.name, s.route_group_code, s.carrier_code, s.distance_nm, s.sailings_per_week,
      s.departure_weekdays, s.transit_time_days)
    or s.origin_unlocode <> all(origin.unlocode || origin.alt_unlocodes)
    or s.destination_unlocode <> all(destination.unlocode || destination.alt_unlocodes)
    or exists (select from periods where route_id = routes.id and ends_on is null and freshness <> s.data_freshness)
    or exists (select from service_levels gone where gone.route_id = routes.id
      and gone.level not in (select service_level from ${table} same where same.code = s.code))`;

export const knownCatalogue = async (tx: Tx): Promise<KnownCatalogue> => {
  const ports = await tx.execute<KnownPort & { codes: string[] }>(
    sql`select unlocode, name, lat, lon, cargo_types::text[] as "cargoTypes", unlocode || alt_unlocodes as codes from ports`,
  );
  const carriers = await tx.execute<{ code: string; name: string; cargoTypes: ImportedRoute["cargoType"][] }>(
    sql`select code, name, cargo_types::text[] as "cargoTypes" from carriers`,
  );
  const groups = await tx.execute<{ code: string; tradeLaneCode: string; cargoType: ImportedRoute["cargoType"] }>(sql`
    select route_groups.code, trade_lanes.code as "tradeLaneCode", cargo_type as "cargoType"
    from route_groups join trade_lanes on trade_lanes.id = route_groups.trade_lane_id`);
  return {
    ports: new Map(ports.flatMap(({ codes, ...port }) => codes.map((code) => [code, port] as const))),
    carriers: new Map(carriers.map(({ code, ...carrier }) => [code, carrier])),
    routeGroups: new Map(groups.map(({ code, ...group }) => [code, group])),
  };
};

/** Existing routes in the form of import records. */
export const currentRoutes = async (tx: Tx, codes: readonly string[]): Promise<Map<string, ImportedRoute>> => {
  const rows = await tx.execute<{ record: ImportedRoute }>(sql`
    select jsonb_build_object(
      'code', r.code, 'name', r.name, 'routeGroupCode', g.code, 'carrierCode', c.code, 'cargoType', r.cargo_type,
      'originPort', o.unlocode, 'destinationPort', d.unlocode, 'distanceNm', r.distance_nm, 'passages', r.passages,
      'transhipments', r.transhipments, 'intermediateCalls', r.intermediate_calls,
      'sailingsPerWeek', r.sailings_per_week, 'departureWeekdays', r.departure_weekdays, 'waypoints', r.waypoints,
      'capacityNominal', r.capacity_nominal, 'capacityAvailable', r.capacity_available,
      'bookingStatus', r.booking_status, 'popularityPercent', r.popularity_percent,
      'capacityObservedAt', to_char(r.capacity_observed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'serviceLevels', (select coalesce(jsonb_agg(jsonb_build_object('level', level, 'speedKnots', speed_knots,
        'transitDays', transit_days) order by level), '[]') from service_levels s where s.route_id = r.id),
      'baseRates', (select coalesce(jsonb_agg(jsonb_build_object('serviceLevel', service_level, 'equipmentType',
        equipment_type, 'basis', basis, 'amountCents', amount_cents, 'currency', currency, 'validFrom', valid_from,
        'validTo', valid_to) order by service_level, equipment_type, valid_from), '[]')
        from base_rates b where b.route_id = r.id),
      'surcharges', (select coalesce(jsonb_agg(jsonb_build_object('code', code, 'name', name, 'amountCents',
        amount_cents, 'currency', currency, 'exchangeRate', case when exchange_rate is not null then jsonb_build_object(
          'rate', exchange_rate::text, 'asOf', exchange_rate_as_of, 'source', exchange_rate_source) end,
        'basis', basis, 'mandatory', mandatory, 'validFrom', valid_from, 'validTo', valid_to)
        order by code, valid_from), '[]') from surcharges s where s.route_id = r.id),
      'periods', (select coalesce(jsonb_agg(jsonb_build_object('code', p.code, 'name', p.name, 'startsOn', p.starts_on,
        'endsOn', p.ends_on, 'freshness', p.freshness, 'successorCode', next.code) order by p.starts_on, p.id), '[]')
        from periods p left join periods next on next.id = p.successor_period_id where p.route_id = r.id)
    ) as record
    from routes r
    join route_groups g on g.id = r.route_group_id
    join carriers c on c.id = r.carrier_id
    join ports o on o.id = r.origin_port_id
    join ports d on d.id = r.destination_port_id
    where r.code in (select jsonb_array_elements_text(${JSON.stringify(codes)}::jsonb))`);
  return new Map(rows.map(({ record }) => [record.code, record]));
};
