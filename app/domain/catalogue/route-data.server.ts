/** The full data of a route, which needs a subscription. The callers check access. */
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { notFound } from "../errors.ts";
import { type PageRequest, pageOf } from "../page.ts";
import { nextSailings } from "../schedules/list.server.ts";
import type { Sailing } from "../schedules/sailing.ts";
import type { CatalogueReader } from "./as-of.server.ts";
import { summariesOf } from "./browse.server.ts";
import type { RouteSummary } from "./browse.ts";
import { type DataAge, dataAge } from "./freshness.ts";
import { type OpenedBy, openedPeriods, type Period } from "./period.ts";
import * as queries from "./queries.server.ts";
import type { RateKind } from "./rate-kind.ts";
import { type Report, type ReportFilter, reportCursor } from "./report.ts";
import { searoutesBetween } from "./sea-network.server.ts";
import { alternativesTo, type SearouteAlternative } from "./searoutes.ts";
import type { Surcharge } from "./surcharges.ts";

const sailingsShown = 8;

export type RouteRecord = RouteSummary & {
  row: NonNullable<Awaited<ReturnType<typeof queries.findRouteRow>>>;
  levels: Awaited<ReturnType<typeof queries.levelsOf>>;
  rates: Awaited<ReturnType<typeof queries.ratesOf>>;
  surcharges: Surcharge[];
  /** The next ones, those of today included. */
  sailings: Sailing[];
  /** Sea routes by other canals. */
  alternatives: SearouteAlternative[];
};

/** A route with everything that belongs to it. @throws not_found */
export const routeRecord = async (ctx: CatalogueReader, id: number): Promise<RouteRecord> => {
  const [[summary], row, levels, rates, surcharges, sailings] = await Promise.all([
    summariesOf(ctx, [id]),
    queries.findRouteRow(ctx.db, id),
    queries.levelsOf(ctx.db, [id]),
    queries.ratesOf(ctx.db, id),
    queries.surchargesOf(ctx.db, id),
    nextSailings(ctx, id, sailingsShown),
  ]);
  if (!summary || !row) throw notFound("Route");
  const searoutes = await searoutesBetween(summary.origin.unlocode, summary.destination.unlocode);
  return { ...summary, row, levels, rates, surcharges, sailings, alternatives: alternativesTo(row, searoutes) };
};

/** The capacity of one of the route's sailings, in the unit of its cargo type. @throws not_found */
export const nominalCapacityOf = async (ctx: Pick<Context, "db">, id: number): Promise<number> => {
  const row = await queries.findRouteRow(ctx.db, id);
  if (!row) throw notFound("Route");
  return row.capacityNominal;
};

export type ListedPeriod = Period & DataAge & { opened: boolean };

/** All periods of a route, newest first, with whether each is opened. */
export const routePeriods = async (
  ctx: CatalogueReader,
  routeId: number,
  openedBy: OpenedBy,
): Promise<ListedPeriod[]> => {
  const now = ctx.clock.now();
  const periods = await queries.periodsOf(ctx.db, routeId);
  const opened = new Set<Period>(openedPeriods(periods, openedBy, dayOf(now)));
  return periods.map((period) => ({ ...period, ...dataAge(period, now), opened: opened.has(period) }));
};

/** All periods of these routes, newest first. */
export const periodsOfRoutes = (ctx: Pick<Context, "db">, routeIds: number[]): Promise<Period[]> =>
  queries.periodsOfRoutes(ctx.db, routeIds);

/** The base rates and surcharges of these routes that are in force on a day, by route. */
export const chargesOfRoutes = async ({ db }: Pick<Context, "db">, routeIds: number[], today: Day) => {
  const [rates, surcharges] = await Promise.all([
    queries.ratesOfRoutes(db, routeIds, today),
    queries.surchargesOfRoutes(db, routeIds, today),
  ]);
  return { rates, surcharges };
};

/** The equipment types of a period's rates, by code. */
export const equipmentTypesIn = (ctx: Pick<Context, "db">, periodId: number): Promise<string[]> =>
  queries.equipmentTypesIn(ctx.db, periodId);

/** What the rates of these periods are reported for, by equipment type and service level. */
export const rateKindsIn = (ctx: Pick<Context, "db">, periodIds: number[]): Promise<RateKind[]> =>
  queries.rateKindsIn(ctx.db, periodIds);

/** Newest first. @throws invalid for a cursor of another list */
export const listReports = async (
  ctx: Pick<CatalogueReader, "db">,
  filter: ReportFilter,
  page: PageRequest,
): Promise<{ rows: Report[]; nextCursor: string | null }> => {
  const found = await queries.searchReports(ctx.db, filter, page.limit, reportCursor.read(page.cursor));
  return pageOf(found, page.limit, (last) => reportCursor.write([last.observedAt.toISOString(), last.id]));
};
