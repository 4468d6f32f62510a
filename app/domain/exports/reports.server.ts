/** The reports of many routes, in one export. @spec What the service does (hierarchy) */
import type { Caller } from "../accounts/caller.ts";
import type { Report, ReportFilter } from "../catalogue/report.ts";
import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { type Page, pageOf } from "../page.ts";
import { openedRoutes } from "../subscriptions/opened-routes.server.ts";
import type { ExportFilter, RowKey } from "./queries.server.ts";
import * as queries from "./queries.server.ts";
import { type ExportedRoute, exportCursor, type ReportRow } from "./report-row.ts";

type World = Pick<Context, "db" | "clock">;

export type ReportsRequest = Omit<ReportFilter, "periodIds"> & {
  /** Absent: all routes with an active subscription. */
  routeIds?: readonly number[] | undefined;
  /** Its code. */
  tradeLane?: string | undefined;
  cursor?: string | undefined;
};

/** An export that is ready to be read. It contains the reports that existed when it began, however long reading takes. */
export type ReportsExport = {
  /** Rows after the cursor. */
  count(): Promise<number>;
  /** In the order of route, observation and id, in batches as large as the reader takes them. */
  batches(): AsyncGenerator<ReportRow[], void>;
  page(limit: number): Promise<Page<ReportRow>>;
};

const batchRows = 1_000;
/** As long as a batch is not full, twice as many routes are read with the next one. */
const mostRoutesAtOnce = 256;

/**
 * Opens the reports of the periods that the account's subscriptions open, as route data has them.
 *
 * @throws not_found, forbidden as `openedRoutes`
 * @throws invalid for a cursor of another list, and for an end before the start
 */
export const openReports = async (
  ctx: World,
  caller: Caller,
  { routeIds, tradeLane, cursor, ...filter }: ReportsRequest,
): Promise<ReportsExport> => {
  if (filter.from && filter.to && filter.to < filter.from) throw invalid("to", "Must not be before the start");
  const position = exportCursor.read(cursor);
  const newest = position?.[3] ?? (await queries.newestReportId(ctx.db));
  const scope: ExportFilter = { ...filter, newestReportId: newest };
  const routes = (await routesWithPeriods(ctx, caller, routeIds, tradeLane)).filter(
    ({ route }) => position === null || route.id >= position[0],
  );
  const start: RowKey | null = position && [position[0], new Date(position[1]), position[2]];

  async function* batches(rows: number): AsyncGenerator<ReportRow[], void> {
    let [begin, width, after] = [0, 1, start];
    while (begin < routes.length) {
      const some = routes.slice(begin, begin + width);
      const found = await queries.reportsOf(ctx.db, scope, some.map(periodsOf), after, rows);
      if (found.length > 0) yield found.map((report) => rowOf(report, some, newest));
      const last = found.at(-1);
      if (last && found.length === rows) {
        after = [last.routeId, last.observedAt, last.id];
        begin = routes.findIndex(({ route }) => route.id === last.routeId);
        width = Math.max(1, Math.floor(width / 2));
      } else {
        after = null;
        begin += some.length;
        width = Math.min(mostRoutesAtOnce, width * 2);
      }
    }
  }

  return {
    count: () => queries.countReports(ctx.db, scope, routes.map(periodsOf), start),
    batches: () => batches(batchRows),
    page: async (limit) => {
      const found: ReportRow[] = [];
      for await (const batch of batches(limit + 1)) {
        found.push(...batch);
        if (found.length > limit) break;
      }
      return pageOf(found, limit, (last) => last.cursor);
    },
  };
};

/** The routes whose data the account may export. @throws as `openReports` */
export const exportableRoutes = async (
  ctx: World,
  caller: Caller,
  routeIds?: readonly number[],
): Promise<ExportedRoute[]> => {
  const opened = await openedRoutes(ctx, caller, routeIds);
  return queries.exportedRoutes(
    ctx.db,
    opened.map(({ routeId }) => routeId),
    undefined,
  );
};

type ReadableRoute = { route: ExportedRoute; periodIds: number[] };

const periodsOf = ({ route, periodIds }: ReadableRoute) => ({ routeId: route.id, periodIds });

const rowOf = (
  { routeId, ...report }: Report & { routeId: number },
  routes: ReadableRoute[],
  newestReportId: number,
): ReportRow => {
  const found = routes.find(({ route }) => route.id === routeId);
  if (!found) throw new Error(`Route ${routeId} is not exported`);
  const cursor = exportCursor.write([routeId, report.observedAt.getTime(), report.id, newestReportId]);
  return { ...report, route: found.route, cursor };
};

/** The routes in ascending order of id, with the periods that are opened. */
const routesWithPeriods = async (
  ctx: World,
  caller: Caller,
  routeIds: readonly number[] | undefined,
  tradeLane: string | undefined,
): Promise<ReadableRoute[]> => {
  const opened = await openedRoutes(ctx, caller, routeIds);
  if (opened.length === 0) return [];
  const ids = opened.map(({ routeId }) => routeId);
  const periodIds = new Map(opened.map((route) => [route.routeId, route.periodIds]));
  const routes = await queries.exportedRoutes(ctx.db, ids, tradeLane);
  return routes.map((route) => ({ route, periodIds: periodIds.get(route.id) ?? [] }));
};
