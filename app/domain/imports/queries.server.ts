import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import { accounts, catalogueImports, periods, routes } from "#drizzle/schema/index.ts";
import type { Db, Tx } from "../../platform/db.server.ts";
import type { ImportedRoute } from "../catalogue/import-records.ts";
import type { KnownCatalogue, KnownPeriods, KnownPort } from "./catalogue-snapshot.ts";
import type { CompareReports } from "./reports-file.ts";

// ── Imports ─────────────────────────────────────────────────────────────────────────────────────────

const importColumns = {
  id: catalogueImports.id,
  fileName: catalogueImports.fileName,
  kind: catalogueImports.kind,
  status: catalogueImports.status,
  heartbeatAt: catalogueImports.heartbeatAt,
  rowsDone: catalogueImports.rowsDone,
  rowsExpected: catalogueImports.rowsExpected,
  rows: catalogueImports.rows,
  newRecords: catalogueImports.newRecords,
  changedRecords: catalogueImports.changedRecords,
  unchangedRecords: catalogueImports.unchangedRecords,
  errorCount: catalogueImports.errorCount,
  createdAt: catalogueImports.createdAt,
  endedAt: catalogueImports.endedAt,
  operator: accounts.username,
};

export const insertImport = async (tx: Tx, row: typeof catalogueImports.$inferInsert): Promise<number> => {
  const [inserted] = await tx.insert(catalogueImports).values(row).returning({ id: catalogueImports.id });
  if (!inserted) throw new Error("The insert returned no import");
  return inserted.id;
};

/** Newest first. */
export const listImports = (db: Tx, { before, limit }: { before: number | null; limit: number }) =>
  db
    .select(importColumns)
    .from(catalogueImports)
    .leftJoin(accounts, eq(accounts.id, catalogueImports.operatorAccountId))
    .where(before === null ? undefined : lt(catalogueImports.id, before))
    .orderBy(desc(catalogueImports.id))
    .limit(limit);

/** `beginning` is the start of its text. Null: no such import. */
export const findImport = async (db: Tx, id: number) => {
  const [row] = await db
    .select({
      ...importColumns,
      errors: catalogueImports.errors,
      beginning: sql<string | null>`left(${catalogueImports.content}, 20000)`,
    })
    .from(catalogueImports)
    .leftJoin(accounts, eq(accounts.id, catalogueImports.operatorAccountId))
    .where(eq(catalogueImports.id, id));
  return row ?? null;
};

export const findContent = async (db: Tx, id: number) => {
  const [row] = await db
    .select({ status: catalogueImports.status, kind: catalogueImports.kind, content: catalogueImports.content })
    .from(catalogueImports)
    .where(eq(catalogueImports.id, id));
  return row ?? null;
};

type Row = typeof catalogueImports.$inferInsert;
type Status = Row["status"];

/** The result of a check, by column. */
export type Findings = Required<
  Pick<Row, "rows" | "newRecords" | "changedRecords" | "unchangedRecords" | "errorCount">
>;

/** The state of an import after a piece of work, and what changes with it. */
type Outcome = { status: Exclude<Status, "checking" | "applying"> } & Partial<Findings> &
  Pick<Row, "content" | "errors" | "endedAt" | "changedRoutes">;

/** @returns false if the import is in none of these states */
export const endWork = async (tx: Tx, id: number, from: readonly Status[], outcome: Outcome): Promise<boolean> => {
  const changed = await tx
    .update(catalogueImports)
    .set({ ...outcome, heartbeatAt: null })
    .where(and(eq(catalogueImports.id, id), inArray(catalogueImports.status, [...from])))
    .returning({ id: catalogueImports.id });
  return changed.length > 0;
};

/** Marks a checked file as being applied. Restarts the progress of one that is `applying` already. */
export const beginApplying = (db: Tx, id: number, now: Date) =>
  db
    .update(catalogueImports)
    .set({ status: "applying", heartbeatAt: now, rowsDone: 0, rowsExpected: catalogueImports.rows })
    .where(and(eq(catalogueImports.id, id), inArray(catalogueImports.status, ["checked", "applying"])));

/** Updates progress and heartbeat of work that has not ended. */
export const noteProgress = (db: Tx, id: number, rowsDone: number, now: Date) =>
  db
    .update(catalogueImports)
    .set({ rowsDone, heartbeatAt: now })
    .where(and(eq(catalogueImports.id, id), inArray(catalogueImports.status, ["checking", "applying"])));

/** Discards unapplied files uploaded before a moment and erases their text. Refused ones keep their status. */
export const discardBegunBefore = async (db: Db, before: Date, now: Date): Promise<number> => {
  const left = await db
    .update(catalogueImports)
    .set({
      content: null,
      endedAt: now,
      heartbeatAt: null,
      status: sql`case ${catalogueImports.status} when 'refused' then 'refused' else 'discarded' end::import_status`,
    })
    .where(
      and(
        lt(catalogueImports.createdAt, before),
        inArray(catalogueImports.status, ["checking", "checked", "refused", "applying"]),
        sql`${catalogueImports.endedAt} is null`,
      ),
    )
    .returning({ id: catalogueImports.id });
  return left.length;
};

// ── What the catalogue has ──────────────────────────────────────────────────────────────────────────

export const knownCatalogue = async (tx: Tx, routeCodes: readonly string[]): Promise<KnownCatalogue> => {
  const ports = await tx.execute<KnownPort & { codes: string[] }>(
    sql`select unlocode, name, lat, lon, unlocode || alt_unlocodes as codes from ports`,
  );
  const carriers = await tx.execute<{ code: string; name: string; cargoTypes: ImportedRoute["cargoType"][] }>(
    sql`select code, name, cargo_types::text[] as "cargoTypes" from carriers`,
  );
  const groups = await tx.execute<{ code: string; tradeLaneCode: string; cargoType: ImportedRoute["cargoType"] }>(sql`
    select route_groups.code, trade_lanes.code as "tradeLaneCode", cargo_type as "cargoType"
    from route_groups join trade_lanes on trade_lanes.id = route_groups.trade_lane_id`);
  return {
    ports: new Map(
      ports.flatMap(({ codes, unlocode, name, lat, lon }) =>
        codes.map((code) => [code, { unlocode, name, lat, lon }] as const),
      ),
    ),
    carriers: new Map(carriers.map(({ code, ...carrier }) => [code, carrier])),
    routeGroups: new Map(groups.map(({ code, ...group }) => [code, group])),
    routes: await currentRoutes(tx, routeCodes),
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
        amount_cents, 'currency', currency, 'basis', basis, 'mandatory', mandatory, 'validFrom', valid_from,
        'validTo', valid_to) order by code, valid_from), '[]') from surcharges s where s.route_id = r.id),
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

export const knownPeriods = async (tx: Tx, routeCodes: readonly string[]): Promise<KnownPeriods> => {
  const rows = await tx
    .select({
      routeCode: routes.code,
      code: periods.code,
      id: periods.id,
      startsOn: periods.startsOn,
      endsOn: periods.endsOn,
    })
    .from(periods)
    .innerJoin(routes, eq(routes.id, periods.routeId))
    .where(sql`${routes.code} in (select jsonb_array_elements_text(${JSON.stringify(routeCodes)}::jsonb))`);
  const byRoute = new Map<string, { code: string; id: number; startsOn: string; endsOn: string | null }[]>();
  for (const { routeCode, ...period } of rows) byRoute.set(routeCode, [...(byRoute.get(routeCode) ?? []), period]);
  return byRoute;
};

export const comparedReports =
  (tx: Tx): CompareReports =>
  async (reports) => {
    const [row] = await tx.execute<{ known: number; same: number }>(sql`
      select count(*)::int as known, count(*) filter (where
        (old.vessel, old.voyage, old.etd, old.eta, old.transit_days, old.basis, old.currency, old.base_rate_cents,
          old.surcharges, old.surcharges_cents, old.available_capacity, old.capacity_unit, old.booking_status,
          old.on_time_percent, old.mean_delay_days, old.external_id)
        is not distinct from (r.vessel, r.voyage, r.etd, r.eta, r."transitDays", r.basis, r.currency,
          r."baseRateCents", r.surcharges, r."surchargesCents", r."availableCapacity", r."capacityUnit",
          r."bookingStatus", r."onTimePercent", r."meanDelayDays", r."externalId"))::int as same
      from jsonb_to_recordset(${JSON.stringify(reports)}::jsonb) as r("periodId" integer, type report_type,
        "observedAt" timestamptz(3), "serviceLevel" service_level_name, "equipmentType" text, vessel text, voyage text,
        etd timestamptz(3), eta timestamptz(3), "transitDays" float8, basis rate_basis, currency text,
        "baseRateCents" integer, surcharges jsonb, "surchargesCents" integer, "availableCapacity" integer,
        "capacityUnit" capacity_unit, "bookingStatus" booking_status, "onTimePercent" float8, "meanDelayDays" float8,
        "externalId" text)
      join reports old on old.period_id = r."periodId" and old.observed_at = r."observedAt" and old.type = r.type
        and old.service_level = r."serviceLevel" and old.equipment_type = coalesce(r."equipmentType", '')`);
    return row ?? { known: 0, same: 0 };
  };
