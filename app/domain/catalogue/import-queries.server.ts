/**
 * The SQL of imports. Each statement takes its rows as one JSON text, resolves codes by joins and skips unchanged rows.
 * A temporary table collects the changed routes. What is new under a retired record is retired with it.
 */
import { type SQL, sql } from "drizzle-orm";
import { BinaryRows, binaryCopy } from "../../platform/copy-binary.ts";
import { copyRows, type Db, type Tx } from "../../platform/db.server.ts";
import { remember } from "../../platform/remember.ts";
import type { Day } from "../dates.ts";
import {
  type Catalogue,
  type ImportedPort,
  type ImportedReport,
  type ImportedRoute,
  type ImportedTradeLane,
  type KnownCodes,
  type KnownPeriod,
  type PlacedReport,
  surchargesCentsOf,
} from "./import-records.ts";

type RecordOf<Table extends keyof Catalogue> = Catalogue[Table]["rows"][number]["record"];

/** What a change of the catalogue comes from. `seed` is the demo's first data, which is not a change to anybody. */
export type ChangeSource = "import" | "feed" | "operator" | "calendar" | "seed";

/**
 * Serialises changes of the catalogue until the transaction ends. Tells the database's triggers when the change happens
 * on the service's clock, and where it comes from (`service.now`, `service.source`). In nested calls the outermost source counts.
 *
 * @returns the catalogue's revision before this change
 */
export const lockCatalogue = async (tx: Tx, change: { now: Date; source: ChangeSource }): Promise<number> => {
  const [state] = await tx.execute<{ before: string }>(
    sql`update catalogue_state set revision = revision + 1
      returning revision - 1 as before, set_config('service.now', ${change.now.toISOString()}, true),
        set_config('service.source', coalesce(nullif(current_setting('service.source', true), ''), ${change.source}), true)`,
  );
  if (!state) throw new Error("catalogue_state has no row");
  return Number(state.before);
};

/** The revision of the last change that is committed. */
export const catalogueRevision = async (tx: Tx): Promise<number> => {
  const [state] = await tx.execute<{ revision: string }>(sql`select revision from catalogue_state`);
  if (!state) throw new Error("catalogue_state has no row");
  return Number(state.revision);
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

/** Rows with the columns of the table; records are referenced by code. Written after `from`. */
type Incoming = SQL;

export const writePorts = (tx: Tx, rows: ImportedPort[]): Promise<void> =>
  upsertPorts(
    tx,
    sql`(select unlocode, "altUnlocodes" as alt_unlocodes, name, "countryCode" as country_code, country,
        "regionCode" as region_code, lat, lon, tier, "cargoTypes" as cargo_types, timezone
      from jsonb_to_recordset(${json(rows)}::jsonb) as r(unlocode text, "altUnlocodes" text[], name text,
        "countryCode" text, country text, "regionCode" text, lat float8, lon float8, tier smallint,
        "cargoTypes" cargo_type[], timezone text))`,
  );

export const upsertPorts = async (tx: Tx, incoming: Incoming): Promise<void> => {
  await tx.execute(sql`
    with written as (
      insert into ports as old
        (unlocode, alt_unlocodes, name, country_code, country, region_id, lat, lon, tier, cargo_types, timezone, retired_at)
      select r.unlocode, r.alt_unlocodes, r.name, r.country_code, r.country, regions.id, r.lat, r.lon, r.tier,
        r.cargo_types, r.timezone, regions.retired_at
      from ${incoming} r join regions on regions.code = r.region_code
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

export const writeCarriers = (tx: Tx, rows: RecordOf<"carriers">[]): Promise<void> =>
  upsertCarriers(
    tx,
    sql`(select code, name, "cargoTypes" as cargo_types
      from jsonb_to_recordset(${json(rows)}::jsonb) as r(code text, name text, "cargoTypes" cargo_type[]))`,
  );

export const upsertCarriers = async (tx: Tx, incoming: Incoming): Promise<void> => {
  await tx.execute(sql`
    with written as (
      insert into carriers as old (code, name, cargo_types)
      select r.code, r.name, r.cargo_types from ${incoming} r
      order by r.code
      on conflict (code) do update set name = excluded.name, cargo_types = excluded.cargo_types
      where (old.name, old.cargo_types) is distinct from (excluded.name, excluded.cargo_types)
      returning id
    )
    ${noteRoutes(sql`routes.carrier_id`)}`);
};

/** A new lane's price applies to all earlier days too; a changed price applies from `today`. */
export const writeTradeLanes = async (tx: Tx, rows: ImportedTradeLane[], today: Day): Promise<void> => {
  await upsertTradeLanes(
    tx,
    sql`(select code, name, "regionCode" as region_code, "originRegionCode" as origin_region_code,
        "destinationRegionCode" as destination_region_code, haul
      from jsonb_to_recordset(${json(rows)}::jsonb) as r(code text, name text, "regionCode" text,
        "originRegionCode" text, "destinationRegionCode" text, haul haul))`,
  );
  const prices = rows.filter(({ basePriceCents }) => basePriceCents !== undefined);
  await upsertLanePrices(
    tx,
    sql`(select r.code, r."basePriceCents" as base_price_cents,
        case when current.price is null then date '${sql.raw(beforeAllSales)}' else ${today}::date end as valid_from
      from jsonb_to_recordset(${json(prices)}::jsonb) as r(code text, "basePriceCents" integer)
      join trade_lanes on trade_lanes.code = r.code
      left join lateral (
        select base_price_cents as price from trade_lane_prices
        where trade_lane_id = trade_lanes.id and valid_from <= ${today}::date order by valid_from desc limit 1
      ) current on true
      where current.price is distinct from r."basePriceCents")`,
  );
};

const beforeAllSales: Day = "2000-01-01";

export const upsertTradeLanes = async (tx: Tx, incoming: Incoming): Promise<void> => {
  await tx.execute(sql`
    with written as (
      insert into trade_lanes as old
        (code, name, region_id, origin_region_id, destination_region_id, haul, retired_at)
      select r.code, r.name, region.id, origin.id, destination.id, r.haul,
        greatest(region.retired_at, origin.retired_at, destination.retired_at)
      from ${incoming} r
      join regions region on region.code = r.region_code
      join regions origin on origin.code = r.origin_region_code
      join regions destination on destination.code = r.destination_region_code
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
};

export const upsertLanePrices = async (tx: Tx, incoming: Incoming): Promise<void> => {
  await tx.execute(sql`
    with written as (
      insert into trade_lane_prices as old (trade_lane_id, valid_from, base_price_cents)
      select trade_lanes.id, r.valid_from, r.base_price_cents
      from ${incoming} r join trade_lanes on trade_lanes.code = r.code
      on conflict (trade_lane_id, valid_from) do update set base_price_cents = excluded.base_price_cents
      where old.base_price_cents <> excluded.base_price_cents
      returning trade_lane_id as id
    )
    ${noteRoutes(sql`trade_lanes.id`)}`);
};

export const writeRouteGroups = (tx: Tx, rows: RecordOf<"routeGroups">[]): Promise<void> =>
  upsertRouteGroups(
    tx,
    sql`(select code, name, "tradeLaneCode" as trade_lane_code, "cargoType" as cargo_type
      from jsonb_to_recordset(${json(rows)}::jsonb)
        as r(code text, name text, "tradeLaneCode" text, "cargoType" cargo_type))`,
  );

export const upsertRouteGroups = async (tx: Tx, incoming: Incoming): Promise<void> => {
  await tx.execute(sql`
    with written as (
      insert into route_groups as old (code, name, trade_lane_id, cargo_type, retired_at)
      select r.code, r.name, trade_lanes.id, r.cargo_type, trade_lanes.retired_at
      from ${incoming} r join trade_lanes on trade_lanes.code = r.trade_lane_code
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
  const incoming = sql`(select "routeCode" as route_code, "serviceLevel" as service_level,
      "equipmentType" as equipment_type, basis, "amountCents" as amount_cents, currency, "validFrom" as valid_from,
      "validTo" as valid_to
    from jsonb_to_recordset(${rows}::jsonb) as r("routeCode" text, "serviceLevel" text, "equipmentType" text, basis text,
      "amountCents" integer, currency text, "validFrom" date, "validTo" date))`;
  await tx.execute(sql`
    with incoming as (select routes.id as route_id, r.* from ${incoming} r join routes on routes.code = r.route_code),
    written as (
      delete from base_rates old using routes
      where routes.id = old.route_id and ${isOneOf(sql`routes.code`, routeCodes)}
        and not exists (select from incoming i where i.route_id = old.route_id and i.service_level = old.service_level::text
          and i.equipment_type = old.equipment_type and i.valid_from = old.valid_from)
      returning old.route_id
    )
    ${noteWritten}`);
  await upsertBaseRates(tx, incoming);
};

const upsertBaseRates = async (tx: Tx, incoming: Incoming): Promise<void> => {
  await tx.execute(sql`
    with written as (
      insert into base_rates as old
        (route_id, service_level, equipment_type, basis, amount_cents, currency, valid_from, valid_to)
      select routes.id, r.service_level::service_level_name, r.equipment_type, r.basis, r.amount_cents, r.currency,
        r.valid_from, r.valid_to
      from ${incoming} r join routes on routes.code = r.route_code
      on conflict (route_id, service_level, equipment_type, valid_from) do update set
        basis = excluded.basis, amount_cents = excluded.amount_cents, currency = excluded.currency,
        valid_to = excluded.valid_to
      where (old.basis, old.amount_cents, old.currency, old.valid_to)
        is distinct from (excluded.basis, excluded.amount_cents, excluded.currency, excluded.valid_to)
      returning route_id
    )
    ${noteWritten}`);
};

/** Writes base rates, and ends earlier ones that would still hold on the day before. */
export const supersedeBaseRates = async (tx: Tx, incoming: Incoming): Promise<void> => {
  await tx.execute(sql`
    with validities as (
      select distinct on (route_id, service_level, equipment_type, valid_from) * from (
        select routes.id as route_id, r.service_level::service_level_name as service_level, r.equipment_type, r.valid_from,
          null::date as valid_to, true as is_incoming
        from ${incoming} r join routes on routes.code = r.route_code
        union all
        select route_id, service_level, equipment_type, valid_from, coalesce(valid_to, 'infinity'), false from base_rates
        where route_id in (select routes.id from ${incoming} r join routes on routes.code = r.route_code)
      ) every order by route_id, service_level, equipment_type, valid_from, is_incoming desc
    ), ending as (
      select * from (
        select *, lead(valid_from) over charge as next_from, lead(is_incoming) over charge as is_superseded
        from validities window charge as (partition by route_id, service_level, equipment_type order by valid_from)
      ) v where not is_incoming and is_superseded and next_from <= valid_to
    ), written as (
      update base_rates old set valid_to = ending.next_from - 1 from ending
      where (old.route_id, old.service_level, old.equipment_type, old.valid_from)
        = (ending.route_id, ending.service_level, ending.equipment_type, ending.valid_from)
      returning old.route_id
    )
    ${noteWritten}`);
  await upsertBaseRates(tx, incoming);
};

const writeSurcharges = async (tx: Tx, rows: string, routeCodes: string): Promise<void> => {
  const incoming = sql`(select "routeCode" as route_code, code as charge_code, name, "amountCents" as amount_cents,
      currency, ("exchangeRate"->>'rate')::numeric as exchange_rate, ("exchangeRate"->>'asOf')::date as exchange_rate_as_of,
      "exchangeRate"->>'source' as exchange_rate_source, basis, mandatory, "validFrom" as valid_from, "validTo" as valid_to
    from jsonb_to_recordset(${rows}::jsonb) as r("routeCode" text, code text, name text, "amountCents" integer,
      currency text, "exchangeRate" jsonb, basis text, mandatory boolean, "validFrom" date, "validTo" date))`;
  await tx.execute(sql`
    with incoming as (select routes.id as route_id, r.* from ${incoming} r join routes on routes.code = r.route_code),
    written as (
      delete from surcharges old using routes
      where routes.id = old.route_id and ${isOneOf(sql`routes.code`, routeCodes)}
        and not exists (select from incoming i
          where i.route_id = old.route_id and i.charge_code = old.code and i.valid_from = old.valid_from)
      returning old.route_id
    )
    ${noteWritten}`);
  await upsertSurcharges(tx, incoming);
};

const upsertSurcharges = async (tx: Tx, incoming: Incoming): Promise<void> => {
  await tx.execute(sql`
    with written as (
      insert into surcharges as old (route_id, code, name, amount_cents, currency, exchange_rate, exchange_rate_as_of,
        exchange_rate_source, basis, mandatory, valid_from, valid_to)
      select routes.id, r.charge_code, r.name, r.amount_cents, r.currency, r.exchange_rate, r.exchange_rate_as_of,
        r.exchange_rate_source, r.basis, r.mandatory, r.valid_from, r.valid_to
      from ${incoming} r join routes on routes.code = r.route_code
      on conflict (route_id, code, valid_from) do update set
        name = excluded.name, amount_cents = excluded.amount_cents, currency = excluded.currency,
        exchange_rate = excluded.exchange_rate, exchange_rate_as_of = excluded.exchange_rate_as_of,
        exchange_rate_source = excluded.exchange_rate_source, basis = excluded.basis, mandatory = excluded.mandatory,
        valid_to = excluded.valid_to
      where (old.name, old.amount_cents, old.currency, old.exchange_rate, old.exchange_rate_as_of,
          old.exchange_rate_source, old.basis, old.mandatory, old.valid_to)
        is distinct from (excluded.name, excluded.amount_cents, excluded.currency, excluded.exchange_rate,
          excluded.exchange_rate_as_of, excluded.exchange_rate_source, excluded.basis, excluded.mandatory,
          excluded.valid_to)
      returning route_id
    )
    ${noteWritten}`);
};

/** Writes surcharges, and ends earlier ones that would still hold on the day before. */
export const supersedeSurcharges = async (tx: Tx, incoming: Incoming): Promise<void> => {
  await tx.execute(sql`
    with validities as (
      select distinct on (route_id, code, valid_from) * from (
        select routes.id as route_id, r.charge_code as code, r.valid_from, null::date as valid_to, true as is_incoming
        from ${incoming} r join routes on routes.code = r.route_code
        union all
        select route_id, code, valid_from, coalesce(valid_to, 'infinity'), false from surcharges
        where route_id in (select routes.id from ${incoming} r join routes on routes.code = r.route_code)
      ) every order by route_id, code, valid_from, is_incoming desc
    ), ending as (
      select * from (
        select *, lead(valid_from) over charge as next_from, lead(is_incoming) over charge as is_superseded
        from validities window charge as (partition by route_id, code order by valid_from)
      ) v where not is_incoming and is_superseded and next_from <= valid_to
    ), written as (
      update surcharges old set valid_to = ending.next_from - 1 from ending
      where (old.route_id, old.code, old.valid_from) = (ending.route_id, ending.code, ending.valid_from)
      returning old.route_id
    )
    ${noteWritten}`);
  await upsertSurcharges(tx, incoming);
};

const writePeriods = (tx: Tx, rows: string): Promise<void> =>
  upsertPeriods(
    tx,
    sql`(select "routeCode" as route_code, code, name, "startsOn" as starts_on, "endsOn" as ends_on, freshness,
        "successorCode" as successor_code
      from jsonb_to_recordset(${rows}::jsonb) as r("routeCode" text, code text, name text, "startsOn" date,
        "endsOn" date, freshness freshness, "successorCode" text))`,
  );

/** Writes periods first and their successors second, as a successor may be new too. */
export const upsertPeriods = async (tx: Tx, incoming: Incoming): Promise<void> => {
  await tx.execute(sql`
    with written as (
      insert into periods as old (code, route_id, name, starts_on, ends_on, freshness, retired_at)
      select r.code, routes.id, r.name, r.starts_on, r.ends_on, r.freshness, routes.retired_at
      from ${incoming} r join routes on routes.code = r.route_code
      order by routes.id, r.starts_on
      on conflict (code) do update set
        name = excluded.name, starts_on = excluded.starts_on, ends_on = excluded.ends_on, freshness = excluded.freshness
      where (old.name, old.starts_on, old.ends_on, old.freshness)
        is distinct from (excluded.name, excluded.starts_on, excluded.ends_on, excluded.freshness)
      returning route_id
    )
    ${noteWritten}`);
  await tx.execute(sql`
    with written as (
      update periods set successor_period_id = successor.id
      from ${incoming} r left join periods successor on successor.code = r.successor_code
      where periods.code = r.code and periods.successor_period_id is distinct from successor.id
      returning periods.route_id
    )
    ${noteWritten}`);
};

/** Active subscriptions continue with the period that begins on the day on which theirs ends. */
export const linkSuccessors = async (tx: Tx, incoming: Incoming): Promise<void> => {
  await tx.execute(sql`
    with written as (
      update periods set successor_period_id = next.id
      from periods next
      where next.route_id = periods.route_id and next.starts_on = periods.ends_on and next.retired_at is null
        and periods.successor_period_id is null
        and periods.route_id in (select routes.id from ${incoming} r join routes on routes.code = r.route_code)
      returning periods.route_id
    )
    ${noteWritten}`);
};

export const writeReports = async (tx: Tx, rows: PlacedReport[]): Promise<void> => {
  await tx.execute(sql`
    with stored as (
      insert into reports as old
        (period_id, type, observed_at, service_level, equipment_type, vessel, voyage, etd, eta, transit_days, basis,
         currency, base_rate_cents, surcharges, surcharges_cents, available_capacity, capacity_unit, booking_status,
         on_time_percent, mean_delay_days, external_id, known_from)
      select "periodId", type, "observedAt", "serviceLevel", "equipmentType", vessel, voyage, etd, eta, "transitDays",
        basis, currency, "baseRateCents", surcharges, "surchargesCents", "availableCapacity", "capacityUnit",
        "bookingStatus", "onTimePercent", "meanDelayDays", "externalId", history.learned_at("observedAt")
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
    ${noteWritten}`);
};

/** Whether COPY does the same as `writeReports`: there is no report yet, and the demo's first data comes. */
export const canCopyReports = async (tx: Tx): Promise<boolean> => {
  const [row] = await tx.execute<{ can: boolean }>(
    sql`select current_setting('service.source') = 'seed' and not exists (select from reports) as can`,
  );
  return row?.can ?? false;
};

/**
 * Prepares the empty table of reports for `copyReports`: removes its keys, and returns what restores them. Checking all rows
 * at the end takes a fraction of the time of checking each. Until the transaction ends, nobody else can read reports or
 * periods, so seed before the service starts.
 */
export const liftReportKeys = async (tx: Tx): Promise<() => Promise<void>> => {
  // At once, so that nobody who has read one of them waits for the other.
  await tx.execute(sql`lock table periods, reports in access exclusive mode`);
  const keys = await tx.execute<{ name: string; definition: string }>(sql`
    select quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where conrelid = 'reports'::regclass and contype in ('f', 'u', 'p') order by contype desc`);
  const alter = (changes: string[]) => tx.execute(sql.raw(`alter table reports ${changes.join(", ")}`));
  // PostgreSQL does not log what is copied into a table that this transaction has truncated (with `wal_level` minimal).
  await tx.execute(sql`truncate reports`);
  await alter(keys.map(({ name }) => `drop constraint ${name}`));
  return async () => {
    await alter(keys.map(({ name, definition }) => `add constraint ${name} ${definition}`));
  };
};

/** @returns writes reports for `copyReports`. @throws Error for an unknown period */
export const reportEncoder = (
  periods: ReadonlyMap<string, KnownPeriod>,
  now: Date,
): ((reports: readonly ImportedReport[]) => Uint8Array) => {
  const rows = new BinaryRows();
  return (reports) => {
    for (const report of reports) {
      const period = periods.get(report.periodCode);
      if (!period) throw new Error(`There is no period ${report.periodCode}`);
      writeReport(rows, report, period.id, now);
    }
    return rows.takeAll();
  };
};

export const copyReports = (tx: Tx, encoded: AsyncIterable<Uint8Array>): Promise<void> =>
  copyRows(tx, "reports", reportColumns, binaryCopy(encoded), { format: "binary", frozen: true });

/** After all reports there are have been copied. */
export const noteCopiedReports = async (tx: Tx): Promise<void> => {
  await tx.execute(sql`
    with written as (
      select route_id from periods where exists (select from reports where reports.period_id = periods.id)
    )
    ${noteWritten}`);
};

const reportColumns =
  `period_id type observed_at service_level equipment_type vessel voyage etd eta transit_days basis currency
  base_rate_cents surcharges surcharges_cents available_capacity capacity_unit booking_status on_time_percent mean_delay_days
  external_id known_from`.split(/\s+/);

/** In the order of `reportColumns`. */
const writeReport = (to: BinaryRows, row: ImportedReport, periodId: number, now: Date): void => {
  const observedAt = msOf(row.observedAt);
  to.beginRow(reportColumns.length);
  to.integer(periodId);
  to.text(row.type);
  to.timestamptz(observedAt);
  to.text(row.serviceLevel);
  to.text(row.equipmentType ?? "");
  to.text(row.vessel);
  to.text(row.voyage);
  to.timestamptz(row.etd === undefined ? null : Date.parse(row.etd));
  to.timestamptz(row.eta === undefined ? null : Date.parse(row.eta));
  to.doublePrecision(row.transitDays);
  to.text(row.basis);
  to.text(row.currency);
  to.integer(row.baseRateCents);
  to.jsonb(row.surcharges);
  to.integer(surchargesCentsOf(row));
  to.integer(row.availableCapacity);
  to.text(row.capacityUnit);
  to.text(row.bookingStatus);
  to.doublePrecision(row.onTimePercent);
  to.doublePrecision(row.meanDelayDays);
  to.text(row.externalId);
  // As `history.learned_at` in the seed.
  to.timestamptz(Math.min(observedAt, now.getTime()));
};

/** Many reports are of the same time. */
const msOf = remember((instant: string) => Date.parse(instant));

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

/** The same without `gone`. */
export const noteWritten = sql`insert into import_changes select distinct route_id, false from written`;

/** The same if `written` returns records to which routes refer by these columns, as route data contains their names. */
const noteRoutes = (references: SQL) => sql`insert into import_changes
  select routes.id, false from routes
  join route_groups on route_groups.id = routes.route_group_id
  join trade_lanes on trade_lanes.id = route_groups.trade_lane_id
  where exists (select from written where written.id in (${references}))`;

const isOneOf = (column: SQL, codes: string) => sql`${column} in (select jsonb_array_elements_text(${codes}::jsonb))`;

const json = (value: unknown): string => JSON.stringify(value);
