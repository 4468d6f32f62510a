import { and, asc, eq, gte, inArray, lt, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { carriers, ports, reports, routeGroups, routes, tradeLanes } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Report, ReportFilter } from "../catalogue/report.ts";
import { reportColumns } from "../catalogue/report-columns.server.ts";
import type { ExportedRoute } from "./report-row.ts";

const origin = alias(ports, "origin");
const destination = alias(ports, "destination");

const isOneOf = (column: typeof routes.id, ids: number[]): SQL => sql`${column} = any(${sql.param(ids)}::int[])`;

/** In ascending order of id. */
export const exportedRoutes = (db: Tx, ids: number[], tradeLane: string | undefined): Promise<ExportedRoute[]> =>
  db
    .select({
      id: routes.id,
      code: routes.code,
      name: routes.name,
      tradeLaneCode: tradeLanes.code,
      carrierCode: carriers.code,
      origin: origin.unlocode,
      destination: destination.unlocode,
    })
    .from(routes)
    .innerJoin(carriers, eq(carriers.id, routes.carrierId))
    .innerJoin(routeGroups, eq(routeGroups.id, routes.routeGroupId))
    .innerJoin(tradeLanes, eq(tradeLanes.id, routeGroups.tradeLaneId))
    .innerJoin(origin, eq(origin.id, routes.originPortId))
    .innerJoin(destination, eq(destination.id, routes.destinationPortId))
    .where(and(isOneOf(routes.id, ids), tradeLane === undefined ? undefined : eq(tradeLanes.code, tradeLane)))
    .orderBy(asc(routes.id));

/** Reports are written one transaction after another, so all reports up to this id are committed. */
export const newestReportId = async (db: Tx): Promise<number> => {
  const [row] = await db.select({ id: sql`coalesce(max(${reports.id}), 0)`.mapWith(Number) }).from(reports);
  return row?.id ?? 0;
};

/** The periods of a route that are exported. */
export type RoutePeriods = { routeId: number; periodIds: number[] };

export type ExportFilter = Omit<ReportFilter, "periodIds"> & { newestReportId: number };

/** The sort key of a row. */
export type RowKey = [routeId: number, observedAt: Date, reportId: number];

/** Each period with its route, of which reports know nothing. */
const wantedPeriods = (routes: RoutePeriods[]): SQL => {
  const pairs = routes.flatMap(({ routeId, periodIds }) => periodIds.map((periodId) => ({ routeId, periodId })));
  const [periodIds, routeIds] = [pairs.map(({ periodId }) => periodId), pairs.map(({ routeId }) => routeId)];
  return sql`unnest(${sql.param(periodIds)}::int[], ${sql.param(routeIds)}::int[]) wanted (period_id, route_id)`;
};

const wantedRouteId = sql`wanted.route_id`.mapWith(Number);

const conditions = (filter: ExportFilter, after: RowKey | null) =>
  and(
    sql`${reports.periodId} = wanted.period_id`,
    after === null
      ? undefined
      : sql`(${wantedRouteId}, ${reports.observedAt}, ${reports.id}) > (${after[0]}::int, ${after[1].toISOString()}::timestamptz, ${after[2]}::bigint)`,
    lte(reports.id, filter.newestReportId),
    filter.type && eq(reports.type, filter.type),
    filter.serviceLevel && eq(reports.serviceLevel, filter.serviceLevel),
    filter.equipmentTypes && inArray(reports.equipmentType, filter.equipmentTypes),
    filter.from && gte(reports.observedAt, filter.from),
    filter.to && lt(reports.observedAt, filter.to),
  );

export const countReports = async (
  db: Tx,
  filter: ExportFilter,
  routes: RoutePeriods[],
  after: RowKey | null,
): Promise<number> => {
  const [row] = await db
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(wantedPeriods(routes))
    .innerJoin(reports, conditions(filter, after));
  return row?.count ?? 0;
};

/** In the order of route, observation and id. */
export const reportsOf = (
  db: Tx,
  filter: ExportFilter,
  routes: RoutePeriods[],
  after: RowKey | null,
  limit: number,
): Promise<(Report & { routeId: number })[]> =>
  db
    .select({ routeId: wantedRouteId, ...reportColumns })
    .from(wantedPeriods(routes))
    .innerJoin(reports, conditions(filter, after))
    .orderBy(asc(wantedRouteId), asc(reports.observedAt), asc(reports.id))
    .limit(limit);
