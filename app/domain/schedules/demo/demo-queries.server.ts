import { sql } from "drizzle-orm";
import type { Tx } from "../../../platform/db.server.ts";
import type { CargoType, ServiceLevelName } from "../../catalogue/route.ts";
import type { Day } from "../../dates.ts";
import type { DemoPortCall, NewSailing } from "./sailings.ts";
import type { Way } from "./transhipment.ts";

export type DemoRouteRow = {
  id: number;
  code: string;
  cargoType: CargoType;
  routeGroupCode: string;
  carrier: { code: string; name: string };
  origin: DemoPortCall;
  destination: DemoPortCall;
  sailingsPerWeek: number;
  serviceLevels: { level: ServiceLevelName; transitDays: number }[];
  /** Null for a direct service. */
  way: Way | null;
  /** The day of its last sailing, in UTC; null without any. */
  scheduledUntil: Day | null;
};

/** All routes of the demo's carriers. */
export const routesToSchedule = async (tx: Tx): Promise<DemoRouteRow[]> =>
  tx.execute<DemoRouteRow>(sql`
    select routes.id, routes.code, routes.cargo_type as "cargoType", route_groups.code as "routeGroupCode",
      json_build_object('code', carriers.code, 'name', carriers.name) as carrier,
      ${portJson(sql`origin`)} as origin, ${portJson(sql`destination`)} as destination,
      routes.sailings_per_week as "sailingsPerWeek", levels.levels as "serviceLevels",
      case when routes.transhipments > 0 then json_build_object(
        'origin', ${portJson(sql`origin`)}, 'destination', ${portJson(sql`destination`)},
        'distanceNm', routes.distance_nm, 'waypoints', routes.waypoints) end as way,
      last.departure as "scheduledUntil"
    from routes
    join carriers on carriers.id = routes.carrier_id and carriers.name like '%(demo)'
    join route_groups on route_groups.id = routes.route_group_id
    join ports origin on origin.id = routes.origin_port_id
    join ports destination on destination.id = routes.destination_port_id
    cross join lateral (
      select json_agg(json_build_object('level', level, 'transitDays', transit_days) order by level) as levels
      from service_levels where service_levels.route_id = routes.id
    ) levels
    left join lateral (
      select (max(etd) at time zone 'UTC')::date::text as departure from sailings where sailings.route_id = routes.id
    ) last on true
    where routes.retired_at is null and levels.levels is not null
    order by routes.id`);

const portJson = (port: ReturnType<typeof sql>) =>
  sql`json_build_object('id', ${port}.id, 'unlocode', ${port}.unlocode, 'lat', ${port}.lat, 'lon', ${port}.lon)`;

/** Whether a schedule of the demo has been published since. */
export const demoPublishedSince = async (tx: Tx, since: Date): Promise<boolean> => {
  const [row] = await tx.execute<{ published: boolean }>(sql`
    select exists (
      select from sailings
      join routes on routes.id = sailings.route_id
      join carriers on carriers.id = routes.carrier_id and carriers.name like '%(demo)'
      where sailings.published_at >= ${since.toISOString()}::timestamptz
    ) as published`);
  return row?.published ?? false;
};

export const hubsAmong = (tx: Tx, unlocodes: readonly string[]): Promise<DemoPortCall[]> =>
  tx.execute<DemoPortCall>(
    sql`select id, unlocode, lat, lon from ports where unlocode = any(${sql.param(unlocodes)}::text[]) order by unlocode`,
  );

/** Sailings that exist are left as they are. @returns the routes that got new ones */
export const insertSailings = async (tx: Tx, rows: NewSailing[], now: Date): Promise<number[]> => {
  const inserted = await tx.execute<{ route_id: number }>(sql`
    with incoming as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r("routeId" integer, "serviceCode" text,
        voyage text, status sailing_status, "serviceLevel" service_level_name, etd timestamptz(3), eta timestamptz(3),
        "cutOffs" jsonb, legs jsonb)
    ), inserted as (
      insert into sailings (route_id, service_code, voyage, status, service_level, etd, eta, documentation_cut_off,
        vgm_cut_off, cargo_cut_off, published_at, updated_at)
      select "routeId", "serviceCode", voyage, status, "serviceLevel", etd, eta,
        ("cutOffs"->>'documentation')::timestamptz, ("cutOffs"->>'vgm')::timestamptz,
        ("cutOffs"->>'cargo')::timestamptz, ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
      from incoming
      on conflict on constraint sailings_voyage_key do nothing
      returning id, route_id, service_code, voyage
    ), inserted_legs as (
      insert into sailing_legs (sailing_id, sequence, load_port_id, load_terminal_code, load_terminal,
        discharge_port_id, discharge_terminal_code, discharge_terminal, vessel, vessel_imo, service_code, voyage, etd, eta)
      select inserted.id, leg.ordinality, (leg.value->>'loadPortId')::integer, leg.value->'loadTerminal'->>'code',
        leg.value->'loadTerminal'->>'name', (leg.value->>'dischargePortId')::integer,
        leg.value->'dischargeTerminal'->>'code', leg.value->'dischargeTerminal'->>'name',
        leg.value->'vessel'->>'name', leg.value->'vessel'->>'imo', leg.value->>'serviceCode', leg.value->>'voyage',
        (leg.value->>'etd')::timestamptz, (leg.value->>'eta')::timestamptz
      from inserted
      join incoming on (incoming."routeId", incoming."serviceCode", incoming.voyage)
        = (inserted.route_id, inserted.service_code, inserted.voyage)
      cross join lateral jsonb_array_elements(incoming.legs) with ordinality as leg
    )
    select distinct route_id from inserted`);
  return inserted.map(({ route_id }) => route_id);
};
