import { aliasedTable, and, asc, eq, gt, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { regions, routeGroups, routes, tradeLanes } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";
import type { RegionFilter, RouteGroupFilter, TradeLaneFilter } from "./directory.ts";
import type { CheapestRoute } from "./hierarchy.ts";
import type { CargoType } from "./route.ts";
import { cheapest, fastest } from "./search-queries.server.ts";

const originRegions = aliasedTable(regions, "origin_regions");
const destinationRegions = aliasedTable(regions, "destination_regions");

type Sources = { fast: ReturnType<typeof fastest>; cheap: ReturnType<typeof cheapest> };

const figures = ({ fast, cheap }: Sources, apartRouteIds: readonly number[]) => ({
  routes: sql`count(distinct ${routes.id})`.mapWith(Number),
  tradeLanes: sql`count(distinct ${tradeLanes.id})`.mapWith(Number),
  routeGroups: sql`count(distinct ${routeGroups.id})`.mapWith(Number),
  carriers: sql`count(distinct ${routes.carrierId})`.mapWith(Number),
  medianTransitDays: sql<number | null>`percentile_cont(0.5) within group (order by ${fast.days})`,
  sailingsPerWeek: sql`coalesce(sum(${routes.sailingsPerWeek}), 0)`.mapWith(Number),
  priceFromCents: sql<number | null>`min(${cheap.monthlyCents})`,
  cheapest: cheapestOf(cheap, apartRouteIds),
});

/** At most two: of the routes apart, and of the others. */
const cheapestOf = (cheap: Sources["cheap"], apartRouteIds: readonly number[]) => {
  const isApart = sql`${cheap.routeId} = any(${sql.param(apartRouteIds)}::int[])`;
  // Without the first condition, nothing on sale would be an array of nulls.
  const least = (where: SQL) =>
    sql`min(array[${cheap.monthlyCents}, ${cheap.routeId}]) filter (where ${cheap.routeId} is not null and ${where})`;
  return sql`jsonb_build_array(${least(sql`not (${isApart})`)}, ${least(isApart)})`.mapWith(
    (pairs: ([monthlyCents: number, routeId: number] | null)[]): CheapestRoute[] =>
      pairs.flatMap((pair) => (pair ? [{ monthlyCents: pair[0], routeId: pair[1] }] : [])),
  );
};

const selectRegions = (db: Tx, today: Day, apartRouteIds: readonly number[] = []) => {
  const [fast, cheap] = [fastest(db), cheapest(db, today)];
  return db
    .select({
      id: regions.id,
      code: regions.code,
      name: regions.name,
      geography: regions.geography,
      ...figures({ fast, cheap }, apartRouteIds),
    })
    .from(regions)
    .leftJoin(tradeLanes, and(eq(tradeLanes.regionId, regions.id), isNull(tradeLanes.retiredAt)))
    .leftJoin(routeGroups, and(eq(routeGroups.tradeLaneId, tradeLanes.id), isNull(routeGroups.retiredAt)))
    .leftJoin(routes, and(eq(routes.routeGroupId, routeGroups.id), isNull(routes.retiredAt)))
    .leftJoin(fast, eq(fast.routeId, routes.id))
    .leftJoin(cheap, eq(cheap.routeId, routes.id))
    .groupBy(regions.id);
};

const selectTradeLanes = (db: Tx, today: Day, apartRouteIds: readonly number[] = []) => {
  const [fast, cheap] = [fastest(db), cheapest(db, today)];
  return db
    .select({
      id: tradeLanes.id,
      code: tradeLanes.code,
      name: tradeLanes.name,
      haul: tradeLanes.haul,
      region: { id: regions.id, code: regions.code, name: regions.name },
      originRegion: { id: originRegions.id, code: originRegions.code, name: originRegions.name },
      destinationRegion: { id: destinationRegions.id, code: destinationRegions.code, name: destinationRegions.name },
      ...figures({ fast, cheap }, apartRouteIds),
    })
    .from(tradeLanes)
    .innerJoin(regions, eq(regions.id, tradeLanes.regionId))
    .innerJoin(originRegions, eq(originRegions.id, tradeLanes.originRegionId))
    .innerJoin(destinationRegions, eq(destinationRegions.id, tradeLanes.destinationRegionId))
    .leftJoin(routeGroups, and(eq(routeGroups.tradeLaneId, tradeLanes.id), isNull(routeGroups.retiredAt)))
    .leftJoin(routes, and(eq(routes.routeGroupId, routeGroups.id), isNull(routes.retiredAt)))
    .leftJoin(fast, eq(fast.routeId, routes.id))
    .leftJoin(cheap, eq(cheap.routeId, routes.id))
    .groupBy(tradeLanes.id, regions.id, originRegions.id, destinationRegions.id);
};

const selectRouteGroups = (db: Tx, today: Day, apartRouteIds: readonly number[] = []) => {
  const [fast, cheap] = [fastest(db), cheapest(db, today)];
  return db
    .select({
      id: routeGroups.id,
      code: routeGroups.code,
      name: routeGroups.name,
      cargoType: routeGroups.cargoType,
      region: { id: regions.id, code: regions.code, name: regions.name },
      tradeLane: { id: tradeLanes.id, code: tradeLanes.code, name: tradeLanes.name },
      ...figures({ fast, cheap }, apartRouteIds),
    })
    .from(routeGroups)
    .innerJoin(tradeLanes, eq(tradeLanes.id, routeGroups.tradeLaneId))
    .innerJoin(regions, eq(regions.id, tradeLanes.regionId))
    .innerJoin(originRegions, eq(originRegions.id, tradeLanes.originRegionId))
    .innerJoin(destinationRegions, eq(destinationRegions.id, tradeLanes.destinationRegionId))
    .leftJoin(routes, and(eq(routes.routeGroupId, routeGroups.id), isNull(routes.retiredAt)))
    .leftJoin(fast, eq(fast.routeId, routes.id))
    .leftJoin(cheap, eq(cheap.routeId, routes.id))
    .groupBy(routeGroups.id, tradeLanes.id, regions.id);
};

/** All regions that are not retired, or one, including those without routes. */
export const findRegions = (db: Tx, today: Day, apartRouteIds: readonly number[], code?: string) =>
  selectRegions(db, today, apartRouteIds)
    .where(code === undefined ? isNull(regions.retiredAt) : eq(regions.code, code))
    .orderBy(asc(regions.id));

/** The lanes of a region that are not retired, or one lane. */
export const findTradeLanes = (
  db: Tx,
  today: Day,
  apartRouteIds: readonly number[],
  where: { region: string } | { code: string },
) =>
  selectTradeLanes(db, today, apartRouteIds)
    .where(
      "code" in where
        ? eq(tradeLanes.code, where.code)
        : and(eq(regions.code, where.region), isNull(tradeLanes.retiredAt)),
    )
    .orderBy(asc(tradeLanes.name));

/** The groups of a lane that are not retired, or one group. */
export const findRouteGroups = (
  db: Tx,
  today: Day,
  apartRouteIds: readonly number[],
  where: { tradeLane: string } | { code: string },
) =>
  selectRouteGroups(db, today, apartRouteIds)
    .where(
      "code" in where
        ? eq(routeGroups.code, where.code)
        : and(eq(tradeLanes.code, where.tradeLane), isNull(routeGroups.retiredAt)),
    )
    .orderBy(asc(routeGroups.name));

export type Keyset = { limit: number; afterCode: string | null };

/** One more than `limit`, by code. */
export const pageOfRegions = (db: Tx, today: Day, filter: RegionFilter, { limit, afterCode }: Keyset) =>
  selectRegions(db, today)
    .where(
      and(
        isNull(regions.retiredAt),
        filter.cargo_type && inArray(regions.id, regionsOfLanes(db, filter.cargo_type)),
        afterCode === null ? undefined : gt(regions.code, afterCode),
      ),
    )
    .orderBy(asc(regions.code))
    .limit(limit + 1);

/** One more than `limit`, by code. */
export const pageOfTradeLanes = (db: Tx, today: Day, filter: TradeLaneFilter, { limit, afterCode }: Keyset) =>
  selectTradeLanes(db, today)
    .where(
      and(
        isNull(tradeLanes.retiredAt),
        ...inRegions(filter),
        filter.cargo_type && inArray(tradeLanes.id, lanesOf(db, filter.cargo_type)),
        afterCode === null ? undefined : gt(tradeLanes.code, afterCode),
      ),
    )
    .orderBy(asc(tradeLanes.code))
    .limit(limit + 1);

/** One more than `limit`, by code. */
export const pageOfRouteGroups = (db: Tx, today: Day, filter: RouteGroupFilter, { limit, afterCode }: Keyset) =>
  selectRouteGroups(db, today)
    .where(
      and(
        isNull(routeGroups.retiredAt),
        ...inRegions(filter),
        filter.trade_lane ? eq(tradeLanes.code, filter.trade_lane) : undefined,
        filter.cargo_type && eq(routeGroups.cargoType, filter.cargo_type),
        afterCode === null ? undefined : gt(routeGroups.code, afterCode),
      ),
    )
    .orderBy(asc(routeGroups.code))
    .limit(limit + 1);

const inRegions = (filter: TradeLaneFilter) => [
  filter.region ? eq(regions.code, filter.region) : undefined,
  filter.origin_region ? eq(originRegions.code, filter.origin_region) : undefined,
  filter.destination_region ? eq(destinationRegions.code, filter.destination_region) : undefined,
];

/** The lanes with groups of a cargo type. */
const lanesOf = (db: Tx, cargoType: CargoType) =>
  db
    .select({ id: routeGroups.tradeLaneId })
    .from(routeGroups)
    .where(and(eq(routeGroups.cargoType, cargoType), isNull(routeGroups.retiredAt)));

const regionsOfLanes = (db: Tx, cargoType: CargoType) =>
  db
    .select({ id: tradeLanes.regionId })
    .from(tradeLanes)
    .where(and(inArray(tradeLanes.id, lanesOf(db, cargoType)), isNull(tradeLanes.retiredAt)));
