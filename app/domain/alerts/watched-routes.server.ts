/** What is watched, with its newest figures. */
import type { Caller } from "../accounts/caller.ts";
import { summariesOf } from "../catalogue/browse.server.ts";
import type { RouteSummary } from "../catalogue/browse.ts";
import { usualEquipmentType } from "../catalogue/equipment.ts";
import { type BookingStatus, type CapacityUnit, capacityUnit } from "../catalogue/route.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { groupBy } from "../group-by.ts";
import type { Access } from "../subscriptions/access.ts";
import { accessOf, findEntitlement, openedBy } from "../subscriptions/entitlement.server.ts";
import { percentChange } from "./decide.ts";
import { maxRoutesOfPair } from "./policy.ts";
import type { Watch } from "./watch.ts";
import * as queries from "./watch-queries.server.ts";

type World = Pick<Context, "db" | "clock">;

/** From the periods that the account may read. */
export type WatchedFigures = {
  /** Null: no rate with all surcharges has been reported. */
  rate: {
    serviceLevel: string;
    equipmentType: string;
    basis: string | null;
    currency: string;
    allInCents: number;
    observedAt: Date;
    /** Against the rate a week ago, with one decimal. Null: there was none. */
    weekChangePercent: number | null;
  } | null;
  capacity: { available: number; unit: CapacityUnit; bookingStatus: BookingStatus };
  nextDeparture: Date | null;
  dataAsOf: Date | null;
  isStale: boolean;
};

export type WatchedRoute = { route: RouteSummary; access: Access; figures: WatchedFigures | null };

export type WatchWithRoutes = Watch & {
  routes: WatchedRoute[];
  /** Of a port pair there may be more than are listed. */
  routesInAll: number;
  unreadAlerts: number;
};

/** The routes of each watch, with figures where the account may read them. */
export const withRoutes = async (
  ctx: World,
  caller: Pick<Caller, "account">,
  watches: readonly Watch[],
): Promise<WatchWithRoutes[]> => {
  const watchIds = watches.map(({ id }) => id);
  const [watched, unread] = await Promise.all([
    queries.routesOf(ctx.db, watchIds, maxRoutesOfPair),
    queries.unreadByWatch(ctx.db, watchIds),
  ]);
  const routeIds = [...new Set(watched.map(({ routeId }) => routeId))];
  const [summaries, readable] = await Promise.all([summariesOf(ctx, routeIds), accessTo(ctx, caller, routeIds)]);
  const summaryOf = new Map(summaries.map((summary) => [summary.id, summary]));
  const equipmentOf = new Map(watches.map(({ id, equipmentType }) => [id, equipmentType]));
  const seriesOf = ({ watchId, routeId }: queries.WatchedRoute) =>
    summaryOf.get(routeId)?.cargoType === "container" ? (equipmentOf.get(watchId) ?? usualEquipmentType) : "";
  const figures = await figuresOf(
    ctx,
    caller,
    watched
      .filter(({ routeId }) => readable.get(routeId)?.access.hasAccess)
      .map((each) => ({ routeId: each.routeId, equipmentType: seriesOf(each) })),
  );
  const byWatch = groupBy(watched, ({ watchId }) => watchId);
  return watches.map((watch) => {
    const own = byWatch.get(watch.id) ?? [];
    return {
      ...watch,
      routes: own.flatMap((each) => {
        const route = summaryOf.get(each.routeId);
        const found = readable.get(each.routeId);
        if (!route || !found) return [];
        const row = figures.get(`${each.routeId} ${seriesOf(each)}`);
        return [{ route, access: found.access, figures: row ? shownFigures(row, route, found.isStale) : null }];
      }),
      routesInAll: own[0]?.routesInAll ?? 0,
      unreadAlerts: unread.get(watch.id) ?? 0,
    };
  });
};

export const oneWithRoutes = async (
  ctx: World,
  caller: Pick<Caller, "account">,
  watch: Watch,
): Promise<WatchWithRoutes> => {
  const [found] = await withRoutes(ctx, caller, [watch]);
  if (!found) throw new Error("A watch was lost");
  return found;
};

/** Access to each route, and whether its subscribed data is late. */
const accessTo = async (ctx: World, caller: Pick<Caller, "account">, routeIds: number[]) => {
  const today = dayOf(ctx.clock.now());
  const found = await Promise.all(
    routeIds.map(async (routeId) => {
      const entitlement = await findEntitlement(ctx, caller, routeId);
      if (!entitlement) return [];
      const opening = openedBy(today, entitlement);
      const isStale = entitlement.stalePeriodIds.some((id) => opening === "sample" || opening.includes(id));
      const access = accessOf(today, caller, entitlement);
      return [[routeId, { access, isStale }] as const];
    }),
  );
  return new Map(found.flat());
};

const figuresOf = async (
  ctx: World,
  { account }: Pick<Caller, "account">,
  wanted: { routeId: number; equipmentType: string }[],
) => {
  if (wanted.length === 0) return new Map<string, queries.RouteFigures>();
  const distinct = [...new Map(wanted.map((each) => [`${each.routeId} ${each.equipmentType}`, each])).values()];
  const now = ctx.clock.now();
  const rows = await queries.figuresOf(ctx.db, account.id, distinct, { now, today: dayOf(now) });
  return new Map(rows.map((row) => [`${row.routeId} ${row.equipmentType}`, row]));
};

const shownFigures = (row: queries.RouteFigures, { cargoType }: RouteSummary, isStale: boolean): WatchedFigures => ({
  rate: rateOf(row),
  capacity: { available: row.availableCapacity, unit: capacityUnit[cargoType], bookingStatus: row.bookingStatus },
  nextDeparture: row.nextDeparture === null ? null : new Date(row.nextDeparture),
  dataAsOf: row.dataAsOf === null ? null : new Date(row.dataAsOf),
  isStale,
});

const rateOf = (row: queries.RouteFigures): WatchedFigures["rate"] => {
  const { serviceLevel, equipmentType, basis, currency, allInCents, observedAt, weekAgoCents } = row;
  if (serviceLevel === null || currency === null || allInCents === null || observedAt === null) return null;
  return {
    ...{ serviceLevel, equipmentType, basis, currency, allInCents },
    observedAt: new Date(observedAt),
    weekChangePercent: weekAgoCents === null || weekAgoCents === 0 ? null : percentChange(weekAgoCents, allInCents),
  };
};
