/** The full data of a route, which needs a subscription. The callers check access. */
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { notFound } from "../errors.ts";
import { type PageRequest, pageOf } from "../page.ts";
import { nextSailings } from "../schedules/list.server.ts";
import type { Sailing } from "../schedules/sailing.ts";
import { summariesOf } from "./browse.server.ts";
import type { RouteSummary } from "./browse.ts";
import { type DataAge, dataAge } from "./freshness.ts";
import { openedPeriods, type Period } from "./period.ts";
import * as queries from "./queries.server.ts";
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
export const routeRecord = async (ctx: Pick<Context, "db" | "clock">, id: number): Promise<RouteRecord> => {
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

export type ListedPeriod = Period & DataAge & { opened: boolean };

/** All periods of a route, newest first, with whether these subscriptions open each. */
export const routePeriods = async (
  ctx: Pick<Context, "db" | "clock">,
  routeId: number,
  subscribedPeriodIds: number[],
): Promise<ListedPeriod[]> => {
  const now = ctx.clock.now();
  const periods = await queries.periodsOf(ctx.db, routeId);
  const opened = new Set<Period>(openedPeriods(periods, subscribedPeriodIds, dayOf(now)));
  return periods.map((period) => ({ ...period, ...dataAge(period, now), opened: opened.has(period) }));
};

/** The equipment types of a period's rates, by code. */
export const equipmentTypesIn = (ctx: Pick<Context, "db">, periodId: number): Promise<string[]> =>
  queries.equipmentTypesIn(ctx.db, periodId);

/** Newest first. @throws invalid for a cursor of another list */
export const listReports = async (
  ctx: Pick<Context, "db">,
  filter: ReportFilter,
  page: PageRequest,
): Promise<{ rows: Report[]; nextCursor: string | null }> => {
  const found = await queries.searchReports(ctx.db, filter, page.limit, reportCursor.read(page.cursor));
  return pageOf(found, page.limit, (last) => reportCursor.write([last.observedAt.toISOString(), last.id]));
};
