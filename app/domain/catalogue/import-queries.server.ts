/**
 * The SQL of imports. Each statement takes its rows as one JSON text, resolves codes by joins and skips unchanged rows.
 * A temporary table collects the changed routes. What is new under a retired record is retired with it.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";
import type {
  Catalogue,
  ImportedPort,
  ImportedRoute,
  ImportedTradeLane,
  KnownCodes,
  KnownPeriod,
  PlacedReport,
} from "./import-records.ts";

type RecordOf<Table extends keyof Catalogue> = Catalogue[Table]["rows"][number]["record"];

/** Serialises imports until the transaction ends. */
export const lockCatalogue = async (tx: Tx): Promise<void> => {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('catalogue import'))`);
};

export const prepareImport = async (tx: Tx): Promise<void> => {
  await tx.execute(
    sql`create temporary table import_changes (route_id integer not null, is_new boolean not null) on commit drop`,
  );
};

export const holdsRoutesAndReport = async (db: Tx, routeCodes: readonly string[], newestReportAt: string) => {
  const [row] = await db.execute<{ holds: boolean }>(sql`
    select (select count(*) from routes where code in (select jsonb_array_elements_text(${json(routeCodes)}::jsonb))) = ${routeCodes.length}
      and exists (select from reports where observed_at >= ${newestReportAt}::timestamptz) as holds`);
  return row?.holds ?? false;
};

export const knownCodes = async (tx: Tx): Promise<KnownCodes> => {
  const codes = async (table: SQL, column: SQL) => {
    const rows = await tx.execute<{ code: string }>(sql`select ${column} as code from ${table}`);
    return new Set(rows.map(({ code }) => code));
  };
  return {
    regions: await codes(sql`regions`, sql`code`),
    ports: await codes(sql`ports`, sql`unlocode`),
    carriers: await codes(sql`carriers`, sql`code`),
    tradeLanes: await codes(sql`trade_lanes`, sql`code`),
    routeGroups: await codes(sql`route_groups`, sql`code`),
  };
};

export const periodsByCode = async (tx: Tx): Promise<Map<string, KnownPeriod>> => {
  const rows = await tx.execute<{ code: string; id: number; starts_on: string; ends_on: string | null }>(
    sql`select code, id, starts_on::text, ends_on::text from periods`,
  );
  return new Map(rows.map((row) => [row.code, { id: row.id, startsOn: row.starts_on, endsOn: row.ends_on }]));
};

export const writeRegions = async (tx: Tx, rows: RecordOf<"regions">[]): Promise<void> => {
  await tx.execute(sql`
    with written as (
      insert into regions as old (code, name, geography)
      select code, name, geography
      from jsonb_to_recordset(${json(rows)}::jsonb) as r(code text, name text, geography text)
      on conflict (code) do update set name = excluded.name, geography = excluded.geography
      where (old.name, old.geography) is distinct from (excluded.name, excluded.geography)
      returning id
    )
    ${noteRoutes(sql`trade_lanes.region_id`)}`);
};

export const writePorts = async (tx: Tx, rows: ImportedPort[]): Promise<void> => {
  await tx.execute(sql`
    with written as (
      insert into ports as old
        (unlocode, alt_unlocodes, name, country_code, country, region_id, lat, lon, tier, cargo_types, timezone, retired_at)
      select r.unlocode, r."altUnlocodes", r.name, r."countryCode", r.country, regions.id, r.lat, r.lon, r.tier,
        r."cargoTypes", r.timezone, regions.retired_at
      from jsonb_to_recordset(${json(rows)}::jsonb) as r(unlocode text, "altUnlocodes" text[], name text,
        "countryCode" text, country text, "regionCode" text, lat float8, lon float8, tier smallint,
        "cargoTypes" cargo_type[], timezone text)
      join regions on regions.code = r."regionCode"
      order by r.unlocode
      on conflict (unlocode) do update set
        alt_unlocodes = excluded.alt_unlocodes, name = excluded.name, country_code = excluded.country_code,
        country = excluded.country, region_id = excluded.region_id, lat = excluded.lat, lon = excluded.lon,
        tier = excluded.tier, cargo_types = excluded.cargo_types, timezone = excluded.timezone
      where (old.alt_unlocodes, old.name, old.country_code, old.country, old.region_id, old.lat, old.lon, old.tier,
          old.cargo_types, old.timezone)
        is distinct from (excluded.alt_unlocodes, excluded.name, excluded.country_code, excluded.country,
          excluded.region_id, excluded.lat, excluded.lon, excluded.tier, excluded.cargo_types, excluded.timezone)
      returning id
    )
    ${noteRoutes(sql`routes.origin_port_id, routes.destination_port_id`)}`);
};

export const writeCarriers = async (tx: Tx, rows: RecordOf<"carriers">[]): Promise<void> => {
  await tx.execute(sql`
    with written as (
      insert into carriers as old (code, name, cargo_types)
      select code, name, "cargoTypes"
      from jsonb_to_recordset(${json(rows)}::jsonb) as r(code text, name text, "cargoTypes" cargo_type[])
      on conflict (code) do update set name = excluded.name, cargo_types = excluded.cargo_types
      where (old.name, old.cargo_types) is distinct from (excluded.name, excluded.cargo_types)
      returning id
    )
    ${noteRoutes(sql`routes.carrier_id`)}`);
};

/** A new lane's price applies to all earlier days too; a changed price applies from `today`. */
export const writeTradeLanes = async (tx: Tx, rows: ImportedTradeLane[], today: Day): Promise<void> => {
  await tx.execute(sql`
    with written as (
      insert into trade_lanes as old
        (code, name, region_id, origin_region_id, destination_region_id, haul, retired_at)
      select r.code, r.name, region.id, origin.id, destination.id, r.haul,
        greatest(region.retired_at, origin.retired_at, destination.retired_at)
      from jsonb_to_recordset(${json(rows)}::jsonb) as r(code text, name text, "regionCode" text,
        "originRegionCode" text, "destinationRegionCode" text, haul haul)
      join regions region on region.code = r."regionCode"
      join regions origin on origin.code = r."originRegionCode"
      join regions destination on destination.code = r."destinationRegionCode"
      order by r.code
      on conflict (code) do update set
        name = excluded.name, region_id = excluded.region_id, origin_region_id = excluded.origin_region_id,
        destination_region_id = excluded.destination_region_id, haul = excluded.haul
      where (old.name, old.region_id, old.origin_region_id, old.destination_region_id, old.haul)
        is distinct from (excluded.name, excluded.region_id, excluded.origin_region_id,
          excluded.destination_region_id, excluded.haul)
      returning id
    )
    ${noteRoutes(sql`trade_lanes.id`)}`);
  const prices = rows.filter(({ basePriceCents }) => basePriceCents !== undefined);
  await tx.execute(sql`
    with written as (
      insert into trade_lane_prices as old (trade_lane_id, valid_from, base_price_cents)
      select trade_lanes.id, case when current.price is null then date '${sql.raw(beforeAllSales)}' else ${today}::date end,
        r."basePriceCents"
      from jsonb_to_recordset(${json(prices)}::jsonb) as r(code text, "basePriceCents" integer)
      join trade_lanes on trade_lanes.code = r.code
      left join lateral (
        select base_price_cents as price from trade_lane_prices
        where trade_lane_id = trade_lanes.id and valid_from <= ${today}::date order by valid_from desc limit 1
      ) current on true
      where current.price is distinct from r."basePriceCents"
      on conflict (trade_lane_id, valid_from) do update set base_price_cents = excluded.base_price_cents
      returning trade_lane_id as id
    )
    ${noteRoutes(sql`trade_lanes.id`)}`);
};

const beforeAllSales: Day = "2000-01-01";

export const writeRouteGroups = async (tx: Tx, rows: RecordOf<"routeGroups">[]): Promise<void> => {
  await tx.execute(sql`
    with written as (
      insert into route_groups as old (code, name, trade_lane_id, cargo_type, retired_at)
      select r.code, r.name, trade_lanes.id, r."cargoType", trade_lanes.retired_at
      from jsonb_to_recordset(${json(rows)}::jsonb)
        as r(code text, name text, "tradeLaneCode" text, "cargoType" cargo_type)
      join trade_lanes on trade_lanes.code = r."tradeLaneCode"
      order by r.code
      on conflict (code) do update set
        name = excluded.name, trade_lane_id = excluded.trade_lane_id, cargo_type = excluded.cargo_type
      where (old.name, old.trade_lane_id, old.cargo_type)
        is distinct from (excluded.name, excluded.trade_lane_id, excluded.cargo_type)
      returning id
    )
    ${noteRoutes(sql`route_groups.id`)}`);
};

/** Routes with everything that belongs to them. Popularity is set on new routes only. */
export const writeRoutes = async (tx: Tx, rows: ImportedRoute[], now: Date): Promise<void> => {
  await writeRouteRows(tx, rows, now);
  const ofEach = <Child extends object>(children: (route: ImportedRoute) => Child[]) =>
    json(rows.flatMap((route) => children(route).map((child) => ({ routeCode: route.code, ...child }))));
  const routeCodes = json(rows.map(({ code }) => code));
  await writeServiceLevels(
    tx,
    ofEach((route) => route.serviceLevels),
    routeCodes,
  );
  await writeBaseRates(
    tx,
    ofEach((route) => route.baseRates),
    routeCodes,
  );
  await writeSurcharges(
    tx,
    ofEach((route) => route.surcharges),
    routeCodes,
  );
  await writePeriods(
    tx,
    ofEach((route) => route.periods),
  );
};

const writeRouteRows = async (tx: Tx, rows: ImportedRoute[], now: Date): Promise<void> => {
  await tx.execute(sql`
    with written as (
      insert into routes as old
        (code, name, route_group_id, carrier_id, cargo_type, origin_port_id, destination_port_id, distance_nm, passages,
         transhipments, intermediate_calls, sailings_per_week, departure_weekdays, waypoints, capacity_nominal,
         capacity_available, booking_status, capacity_observed_at, popularity_percent, updated_at, retired_at)
      select r.code, r.name, route_groups.id, carriers.id, r."cargoType", origin.id, destination.id, r."distanceNm",
        r.passages, r.transhipments, r."intermediateCalls", r."sailingsPerWeek", r."departureWeekdays", r.waypoints,
        r."capacityNominal", r."capacityAvailable", r."bookingStatus", r."capacityObservedAt", r."popularityPercent",
        ${now.toISOString()}::timestamptz,
        greatest(route_groups.retired_at, carriers.retired_at, origin.retired_at, destination.retired_at)
      from jsonb_to_recordset(${json(rows)}::jsonb) as r(code text, name text, "routeGroupCode" text,
        "carrierCode" text, "cargoType" cargo_type, "originPort" text, "destinationPort" text, "distanceNm" integer,
        passages text[], transhipments smallint, "intermediateCalls" smallint, "sailingsPerWeek" float8,
        "departureWeekdays" smallint[], waypoints jsonb, "capacityNominal" integer, "capacityAvailable" integer,
        "bookingStatus" booking_status, "capacityObservedAt" timestamptz, "popularityPercent" smallint)
      join route_groups on route_groups.code = r."routeGroupCode"
      join carriers on carriers.code = r."carrierCode"
      join ports origin on origin.unlocode = r."originPort"
      join ports destination on destination.unlocode = r."destinationPort"
      order by r.code
      on conflict (code) do update set
        name = excluded.name, route_group_id = excluded.route_group_id, carrier_id = excluded.carrier_id,
        cargo_type = excluded.cargo_type, origin_port_id = excluded.origin_port_id,
        destination_port_id = excluded.destination_port_id, distance_nm = excluded.distance_nm,
        passages = excluded.passages, transhipments = excluded.transhipments,
        intermediate_calls = excluded.intermediate_calls, sailings_per_week = excluded.sailings_per_week,
        departure_weekdays = excluded.departure_weekdays, waypoints = excluded.waypoints,
        capacity_nominal = excluded.capacity_nominal, capacity_available = excluded.capacity_available,
        booking_status = excluded.booking_status, capacity_observed_at = excluded.capacity_observed_at
      where (old.name, old.route_group_id, old.carrier_id, old.cargo_type, old.origin_port_id, old.destination_port_id,
          old.distance_nm, old.passages, old.transhipments, old.intermediate_calls, old.sailings_per_week,
          old.departure_weekdays, old.waypoints, old.capacity_nominal, old.capacity_available, old.booking_status,
          old.capacity_observed_at)
        is distinct from (excluded.name, excluded.route_group_id, excluded.carrier_id, excluded.cargo_type,
          excluded.origin_port_id, excluded.destination_port_id, excluded.distance_nm, excluded.passages,
          excluded.transhipments, excluded.intermediate_calls, excluded.sailings_per_week, excluded.departure_weekdays,
          excluded.waypoints, excluded.capacity_nominal, excluded.capacity_available, excluded.booking_status,
          excluded.capacity_observed_at)
      returning id, xmax = 0 as is_new
    )
    insert into import_changes select id, is_new from written`);
};

const writeServiceLevels = async (tx: Tx, rows: string, routeCodes: string): Promise<void> => {
  await tx.execute(sql`
    with incoming as (
      select routes.id as route_id, r.* from jsonb_to_recordset(${rows}::jsonb)
        as r("routeCode" text, level service_level_name, "speedKnots" float8, "transitDays" smallint)
      join routes on routes.code = r."routeCode"
    ), gone as (
      delete from service_levels old using routes
      where routes.id = old.route_id and ${isOneOf(sql`routes.code`, routeCodes)}
        and not exists (select from incoming i where i.route_id = old.route_id and i.level = old.level)
      returning old.route_id
    ), written as (
      insert into service_levels as old (route_id, level, speed_knots, transit_days)
      select route_id, level, "speedKnots", "transitDays" from incoming
      on conflict (route_id, level) do update set speed_knots = excluded.speed_knots, transit_days = excluded.transit_days
      where (old.speed_knots, old.transit_days) is distinct from (excluded.speed_knots, excluded.transit_days)
      returning route_id
    )
    ${noteChanges}`);
};

const writeBaseRates = async (tx: Tx, rows: string, routeCodes: string): Promise<void> => {
  await tx.execute(sql`
    with incoming as (
      select routes.id as route_id, r.* from jsonb_to_recordset(${rows}::jsonb)
        as r("routeCode" text, "serviceLevel" service_level_name, "equipmentType" text, basis text,
          "amountCents" integer, currency text, "validFrom" date, "validTo" date)
      join routes on routes.code = r."routeCode"
    ), gone as (
      delete from base_rates old using routes
      where routes.id = old.route_id and ${isOneOf(sql`routes.code`, routeCodes)}
        and not exists (select from incoming i where i.route_id = old.route_id and i."serviceLevel" = old.service_level
          and i."equipmentType" = old.equipment_type and i."validFrom" = old.valid_from)
      returning old.route_id
    ), written as (
      insert into base_rates as old
        (route_id, service_level, equipment_type, basis, amount_cents, currency, valid_from, valid_to)
      select route_id, "serviceLevel", "equipmentType", basis, "amountCents", currency, "validFrom", "validTo"
      from incoming
      on conflict (route_id, service_level, equipment_type, valid_from) do update set
        basis = excluded.basis, amount_cents = excluded.amount_cents, currency = excluded.currency,
        valid_to = excluded.valid_to
      where (old.basis, old.amount_cents, old.currency, old.valid_to)
        is distinct from (excluded.basis, excluded.amount_cents, excluded.currency, excluded.valid_to)
      returning route_id
    )
    ${noteChanges}`);
};

const writeSurcharges = async (tx: Tx, rows: string, routeCodes: string): Promise<void> => {
  await tx.execute(sql`
    with incoming as (
      select routes.id as route_id, r.* from jsonb_to_recordset(${rows}::jsonb)
        as r("routeCode" text, code text, name text, "amountCents" integer, currency text, basis text,
          mandatory boolean, "validFrom" date, "validTo" date)
      join routes on routes.code = r."routeCode"
    ), gone as (
      delete from surcharges old using routes
      where routes.id = old.route_id and ${isOneOf(sql`routes.code`, routeCodes)}
        and not exists (select from incoming i
          where i.route_id = old.route_id and i.code = old.code and i."validFrom" = old.valid_from)
      returning old.route_id
    ), written as (
      insert into surcharges as old (route_id, code, name, amount_cents, currency, basis, mandatory, valid_from, valid_to)
      select route_id, code, name, "amountCents", currency, basis, mandatory, "validFrom", "validTo" from incoming
      on conflict (route_id, code, valid_from) do update set
        name = excluded.name, amount_cents = excluded.amount_cents, currency = excluded.currency,
        basis = excluded.basis, mandatory = excluded.mandatory, valid_to = excluded.valid_to
      where (old.name, old.amount_cents, old.currency, old.basis, old.mandatory, old.valid_to) is distinct from
        (excluded.name, excluded.amount_cents, excluded.currency, excluded.basis, excluded.mandatory, excluded.valid_to)
      returning route_id
    )
    ${noteChanges}`);
};

/** Writes periods first and their successors second, as a successor may be new too. */
const writePeriods = async (tx: Tx, rows: string): Promise<void> => {
  const incoming = sql`jsonb_to_recordset(${rows}::jsonb) as r("routeCode" text, code text, name text, "startsOn" date,
    "endsOn" date, freshness freshness, "successorCode" text)`;
  await tx.execute(sql`
    with gone as (select null::integer as route_id where false), written as (
      insert into periods as old (code, route_id, name, starts_on, ends_on, freshness, retired_at)
      select r.code, routes.id, r.name, r."startsOn", r."endsOn", r.freshness, routes.retired_at
      from ${incoming} join routes on routes.code = r."routeCode"
      order by routes.id, r."startsOn"
      on conflict (code) do update set
        name = excluded.name, starts_on = excluded.starts_on, ends_on = excluded.ends_on, freshness = excluded.freshness
      where (old.name, old.starts_on, old.ends_on, old.freshness)
        is distinct from (excluded.name, excluded.starts_on, excluded.ends_on, excluded.freshness)
      returning route_id
    )
    ${noteChanges}`);
  await tx.execute(sql`
    with gone as (select null::integer as route_id where false), written as (
      update periods set successor_period_id = successor.id
      from ${incoming} left join periods successor on successor.code = r."successorCode"
      where periods.code = r.code and periods.successor_period_id is distinct from successor.id
      returning periods.route_id
    )
    ${noteChanges}`);
};

export const writeReports = async (tx: Tx, rows: PlacedReport[]): Promise<void> => {
  await tx.execute(sql`
    with gone as (select null::integer as route_id where false), stored as (
      insert into reports as old
        (period_id, type, observed_at, service_level, equipment_type, vessel, voyage, etd, eta, transit_days, basis,
         currency, base_rate_cents, surcharges, surcharges_cents, available_capacity, capacity_unit, booking_status,
         on_time_percent, mean_delay_days, external_id)
      select "periodId", type, "observedAt", "serviceLevel", "equipmentType", vessel, voyage, etd, eta, "transitDays",
        basis, currency, "baseRateCents", surcharges, "surchargesCents", "availableCapacity", "capacityUnit",
        "bookingStatus", "onTimePercent", "meanDelayDays", "externalId"
      from jsonb_to_recordset(${json(rows)}::jsonb) as r("periodId" integer, type report_type,
        "observedAt" timestamptz(3), "serviceLevel" service_level_name, "equipmentType" text, vessel text, voyage text,
        etd timestamptz(3), eta timestamptz(3), "transitDays" float8, basis rate_basis, currency text,
        "baseRateCents" integer, surcharges jsonb, "surchargesCents" integer, "availableCapacity" integer,
        "capacityUnit" capacity_unit, "bookingStatus" booking_status, "onTimePercent" float8, "meanDelayDays" float8,
        "externalId" text)
      on conflict (period_id, observed_at, type, service_level, equipment_type) do update set
        vessel = excluded.vessel, voyage = excluded.voyage, etd = excluded.etd, eta = excluded.eta,
        transit_days = excluded.transit_days, basis = excluded.basis, currency = excluded.currency,
        base_rate_cents = excluded.base_rate_cents, surcharges = excluded.surcharges,
        surcharges_cents = excluded.surcharges_cents, available_capacity = excluded.available_capacity,
        capacity_unit = excluded.capacity_unit, booking_status = excluded.booking_status,
        on_time_percent = excluded.on_time_percent, mean_delay_days = excluded.mean_delay_days,
        external_id = excluded.external_id
      where (old.vessel, old.voyage, old.etd, old.eta, old.transit_days, old.basis, old.currency, old.base_rate_cents,
          old.surcharges, old.surcharges_cents, old.available_capacity, old.capacity_unit, old.booking_status,
          old.on_time_percent, old.mean_delay_days, old.external_id)
        is distinct from (excluded.vessel, excluded.voyage, excluded.etd, excluded.eta, excluded.transit_days,
          excluded.basis, excluded.currency, excluded.base_rate_cents, excluded.surcharges, excluded.surcharges_cents,
          excluded.available_capacity, excluded.capacity_unit, excluded.booking_status, excluded.on_time_percent,
          excluded.mean_delay_days, excluded.external_id)
      returning period_id
    ), written as (
      select distinct periods.route_id from stored join periods on periods.id = stored.period_id
    )
    ${noteChanges}`);
};

/** Increments the version of every changed route; new routes keep their first version. @returns how many */
export const markChangedRoutes = async (tx: Tx, now: Date): Promise<number> => {
  const [row] = await tx.execute<{ changed: number }>(sql`
    with changed as (
      select route_id, bool_or(is_new) as is_new from import_changes group by route_id
    ), marked as (
      update routes set version = version + 1, updated_at = ${now.toISOString()}::timestamptz
      from changed where changed.route_id = routes.id and not changed.is_new
    )
    select count(*)::integer as changed from changed`);
  return row?.changed ?? 0;
};

export const analyzeCatalogue = async (db: Db): Promise<void> => {
  await db.execute(
    sql`analyze regions, ports, carriers, trade_lanes, route_groups, routes, service_levels, base_rates, surcharges, periods, reports`,
  );
};

/** Ends a statement whose CTEs `gone` and `written` return the ids of the routes that they changed. */
const noteChanges = sql`insert into import_changes
  select route_id, false from written union select route_id, false from gone`;

/** The same if `written` returns records to which routes refer by these columns, as route data contains their names. */
const noteRoutes = (references: SQL) => sql`insert into import_changes
  select routes.id, false from routes
  join route_groups on route_groups.id = routes.route_group_id
  join trade_lanes on trade_lanes.id = route_groups.trade_lane_id
  where exists (select from written where written.id in (${references}))`;

const isOneOf = (column: SQL, codes: string) => sql`${column} in (select jsonb_array_elements_text(${codes}::jsonb))`;

const json = (value: unknown): string => JSON.stringify(value);
