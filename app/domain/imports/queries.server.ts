import { and, desc, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import { accounts, catalogueImports } from "#drizzle/schema/index.ts";
import type { Db, Tx } from "../../platform/db.server.ts";
import type { ImportedRoute } from "../catalogue/import-records.ts";
import type { KnownCatalogue, KnownPort } from "./catalogue-snapshot.ts";
import type { FileRow } from "./check.ts";

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
  warningCount: catalogueImports.warningCount,
  changedRoutes: catalogueImports.changedRoutes,
  createdAt: catalogueImports.createdAt,
  endedAt: catalogueImports.endedAt,
  operator: sql<string | null>`coalesce(${accounts.username}, ${catalogueImports.machineUser})`,
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

/** Null: no such import. */
export const findImport = async (db: Tx, id: number) => {
  const [row] = await db
    .select({
      ...importColumns,
      stagedRows: catalogueImports.stagedRows,
      errors: catalogueImports.errors,
      warnings: catalogueImports.warnings,
      preview: catalogueImports.preview,
      firstRows: catalogueImports.firstRows,
    })
    .from(catalogueImports)
    .leftJoin(accounts, eq(accounts.id, catalogueImports.operatorAccountId))
    .where(eq(catalogueImports.id, id));
  return row ?? null;
};

type Row = typeof catalogueImports.$inferInsert;
type Status = Row["status"];

/** The state of an import after a piece of work, and what changes with it. */
export type Outcome = { status: Exclude<Status, "checking" | "applying"> } & Partial<Omit<Row, "id" | "status">>;

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

/** Updates progress and heartbeat of work. @returns false if it has been ended meanwhile */
export const noteProgress = async (
  db: Tx,
  id: number,
  progress: Partial<Pick<Row, "rowsDone" | "rowsExpected" | "heartbeatAt">>,
): Promise<boolean> => {
  const changed = await db
    .update(catalogueImports)
    .set(progress)
    .where(and(eq(catalogueImports.id, id), inArray(catalogueImports.status, ["checking", "applying"])))
    .returning({ id: catalogueImports.id });
  return changed.length > 0;
};

/** Discards unapplied files imported before a moment. Refused ones keep their status. */
export const discardBegunBefore = async (db: Db, before: Date, now: Date): Promise<number> => {
  const left = await db
    .update(catalogueImports)
    .set({
      firstRows: [],
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

/** All staged rows of a file that is planned in memory. */
export const stagedCells = async (tx: Tx, table: SQL): Promise<FileRow[]> => [
  ...(await tx.execute<FileRow>(sql`select row as line, cells from ${table} order by row`)),
];
