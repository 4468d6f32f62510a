/** Which route data an account may read, and reading it. @spec Endpoints (/route-access, /api-routes-data) */
import { type MaybePromise, whenKnown } from "../../platform/maybe-promise.ts";
import type { Account, Caller } from "../accounts/caller.ts";
import { type CatalogueReader, readAsOf, requireKnownTime } from "../catalogue/as-of.server.ts";
import { browse } from "../catalogue/browse.server.ts";
import type { RouteSummary } from "../catalogue/browse.ts";
import { type OpenedBy, openedPeriods } from "../catalogue/period.ts";
import type { Report, ReportFilter } from "../catalogue/report.ts";
import {
  type ListedPeriod,
  listReports,
  periodsOfRoutes,
  type RouteRecord,
  routePeriods,
  routeRecord,
} from "../catalogue/route-data.server.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { forbidden, notFound } from "../errors.ts";
import { groupBy } from "../group-by.ts";
import type { Page, PageRequest } from "../page.ts";
import { type Buyer, buyersTerms, type OwnPrice, offerOf, priceFrom } from "../pricing/own-price.ts";
import { type Access, isOpenTo } from "./access.ts";
import { accessOf, type Entitlement, findEntitlement, type KnownEntitlement, openedBy } from "./entitlement.server.ts";
import { buyerOf } from "./price.server.ts";

type World = Pick<Context, "db" | "clock">;
type Holder = Pick<Account, "id" | "standing">;

export type RouteForAccount = RouteSummary & {
  hasAccess: boolean;
  /** What the account pays for one month of the period that costs least. Null: nothing is on sale. */
  priceFrom: (OwnPrice & { periodId: number }) | null;
};

/**
 * The catalogue as `browse` lists it, with the account's access to each route and its price. A route is the same object as
 * before while nothing about it has changed, also for other accounts with the same access and price.
 */
export const browseForAccount = async (
  ctx: World,
  caller: Caller | null,
  filter: Parameters<typeof browse>[1],
  page: PageRequest,
): Promise<Page<RouteForAccount>> => {
  const [{ rows, nextCursor }, buyer] = await Promise.all([
    browse(ctx, filter, page),
    buyerOf(ctx, caller?.account ?? null),
  ]);
  const subscribed = new Set(buyer.runningRouteIds);
  const standing = caller?.account.standing ?? "good";
  return {
    rows: rows.map((route) => {
      const { id, isSample } = route;
      return forAccount(route, buyer, isOpenTo(standing, { isSample, isSubscribed: subscribed.has(id) }));
    }),
    nextCursor,
  };
};

const forAccount = (route: RouteSummary, buyer: Buyer, hasAccess: boolean): RouteForAccount => {
  const known = variants.get(route) ?? new Map<string, RouteForAccount>();
  const key = `${hasAccess} ${buyersTerms(buyer, route.id)}`;
  const variant = known.get(key) ?? {
    ...route,
    hasAccess,
    priceFrom: priceFrom(buyer, route.periods.map(offerOf)),
  };
  variants.set(route, known.set(key, variant));
  return variant;
};
const variants = new WeakMap<RouteSummary, Map<string, RouteForAccount>>();

/**
 * Access to each of these routes, in the given order.
 *
 * @throws not_found naming the first route that does not exist
 */
export const checkAccess = async (
  ctx: World,
  caller: Caller,
  routeIds: number[],
): Promise<(Access & { routeId: number })[]> => {
  const access = await accessToRoutes(ctx, caller, routeIds);
  return routeIds.map((routeId) => {
    const found = access.get(routeId);
    if (!found) throw notFound(`Route ${routeId}`);
    return { routeId, ...found };
  });
};

export type RouteData = {
  /** Null: as it is known now. */
  asOf: Date | null;
  record: RouteRecord;
  access: Access;
  periods: ListedPeriod[];
  reports: Page<Report>;
};

export type RouteDataRequest = PageRequest &
  Omit<ReportFilter, "periodIds"> & {
    id: number;
    periodId?: number | undefined;
    /** Answers with what was known at that time. Access is that of the present. */
    asOf?: Date | undefined;
  };

/**
 * Checks access and returns the version of the data, with a function that reads it: clients that have this version skip
 * the reading. The version is made of everything that determines the data, so equal versions mean equal data.
 *
 * @param caller null for a visitor, who may read samples
 * @param known what has been read in this request already
 * @throws not_found also from `read`, for a route that was not known at the time of `asOf`
 * @throws forbidden without an active subscription unless the route is a sample, for a suspended account, and from `read`
 *   for a period that is not covered
 * @throws invalid for a time of `asOf` of which nothing is known
 */
export const openRouteData = (
  ctx: World,
  caller: Caller | null,
  request: RouteDataRequest,
  known: KnownEntitlement | null = null,
): MaybePromise<OpenedRouteData> => {
  if (request.asOf) requireKnownTime(ctx, request.asOf);
  const entitlement = known?.routeId === request.id ? known.entitlement : findEntitlement(ctx, caller, request.id);
  return whenKnown(entitlement, (found) => openWith(ctx, caller, request, found));
};

export type OpenedRouteData = { version: string; read: () => Promise<RouteData> };

const openWith = (
  ctx: World,
  caller: Caller | null,
  request: RouteDataRequest,
  entitlement: Entitlement | null,
): OpenedRouteData => {
  if (!entitlement) throw notFound("Route");
  const opened = openedOn(dayOf(ctx.clock.now()), caller, request, entitlement);
  const { access, opening } = opened;
  if (!access.hasAccess) throw forbidden();
  return {
    version: opened.version,
    // The data may already be newer than the version. That is safe: the next request computes a new version.
    read: () =>
      request.asOf
        ? readThen(ctx, request, request.asOf, { access, opening })
        : readNow(ctx, request, { access, opening }),
  };
};

type Opened = { access: Access; opening: OpenedBy };

/** What a request opened, and the request, day and standing that it holds for. */
type LastOpened = Opened & {
  version: string;
  today: Day;
  standing: Account["standing"] | undefined;
  request: RouteDataRequest;
};

/** Machines repeat requests, so each entitlement keeps its last opening. Requests that recall a key share the entitlement. */
const openedOn = (
  today: Day,
  caller: Caller | null,
  request: RouteDataRequest,
  entitlement: Entitlement,
): LastOpened => {
  const standing = caller?.account.standing;
  const last = lastOpenings.get(entitlement);
  if (last?.request === request && last.today === today && last.standing === standing) return last;
  const access = accessOf(today, caller, entitlement);
  const opening = openedBy(today, entitlement);
  const { version, updatedAt, stalePeriodIds } = entitlement;
  const { reason, accessUntil } = access;
  const opened: LastOpened = {
    today,
    standing,
    request,
    access,
    opening,
    version: `${JSON.stringify(request)} ${version} ${updatedAt} ${stalePeriodIds} ${today} ${reason} ${accessUntil} ${opening}`,
  };
  lastOpenings.set(entitlement, opened);
  return opened;
};

const lastOpenings = new WeakMap<Entitlement, LastOpened>();

const readNow = async (ctx: World, request: RouteDataRequest, { access, opening }: Opened): Promise<RouteData> => {
  const { id } = request;
  const [record, periods] = await Promise.all([routeRecord(ctx, id), routePeriods(ctx, id, opening)]);
  return { asOf: null, record, access, periods, reports: await reportsOf(ctx, request, openedOf(periods)) };
};

const readThen = async (
  ctx: World,
  request: RouteDataRequest,
  then: Date,
  { access, opening }: Opened,
): Promise<RouteData> => {
  const { id } = request;
  const readable = openedOf(await routePeriods(ctx, id, opening));
  return readAsOf(ctx.db, then, async (reader) => {
    const [record, periods, reports] = await Promise.all([
      routeRecord(reader, id),
      routePeriods(reader, id, []),
      reportsOf(reader, request, readable),
    ]);
    const listed = periods.map((period) => ({ ...period, opened: readable.has(period.id) }));
    return { asOf: then, record, access, periods: listed, reports };
  });
};

const reportsOf = async (
  reader: Pick<CatalogueReader, "db">,
  { id, periodId, asOf, limit, cursor, ...filter }: RouteDataRequest,
  readable: ReadonlySet<number>,
): Promise<Page<Report>> => {
  if (periodId !== undefined && !readable.has(periodId)) throw forbidden();
  const periodIds = periodId === undefined ? [...readable] : [periodId];
  return listReports(reader, { ...filter, periodIds }, { limit, cursor });
};

const openedOf = (periods: ListedPeriod[]): ReadonlySet<number> =>
  new Set(periods.filter(({ opened }) => opened).map(({ id }) => id));

/** @throws as `openRouteData` */
export const readRouteData = async (ctx: World, caller: Caller | null, request: RouteDataRequest): Promise<RouteData> =>
  (await openRouteData(ctx, caller, request)).read();

/** The periods of these routes that the account, or a visitor, may read. None of a route without access. */
export const openPeriodIds = async (
  ctx: World,
  caller: Caller | null,
  routeIds: number[],
): Promise<Map<number, number[]>> => {
  if (routeIds.length === 0) return new Map();
  const today = dayOf(ctx.clock.now());
  const [entitlements, periods] = await Promise.all([
    Promise.all(routeIds.map((id) => findEntitlement(ctx, caller, id))),
    periodsOfRoutes(ctx, routeIds),
  ]);
  const byRoute = groupBy(periods, ({ routeId }) => routeId);
  return new Map(
    routeIds.map((id, index) => {
      const entitlement = entitlements[index];
      const opened =
        entitlement && accessOf(today, caller, entitlement).hasAccess
          ? openedPeriods(byRoute.get(id) ?? [], openedBy(today, entitlement), today)
          : [];
      return [id, opened.map((period) => period.id)];
    }),
  );
};

/** Access to each of these routes, by id. Routes that do not exist are left out. @param caller null for a visitor */
export const accessToRoutes = async (
  ctx: World,
  caller: { account: Holder } | null,
  routeIds: number[],
): Promise<Map<number, Access>> => {
  const today = dayOf(ctx.clock.now());
  const entitlements = await Promise.all(routeIds.map((id) => findEntitlement(ctx, caller, id)));
  return new Map(
    routeIds.flatMap((id, index) => {
      const entitlement = entitlements[index];
      return entitlement ? [[id, accessOf(today, caller, entitlement)] as const] : [];
    }),
  );
};
