import { aliasedTable, and, asc, eq, gt, inArray, isNull } from "drizzle-orm";
import { regions, routeGroups, tradeLanes } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { RegionFilter, RouteGroupFilter, TradeLaneFilter } from "./directory.ts";
import type { CargoType } from "./route.ts";

const originRegions = aliasedTable(regions, "origin_regions");
const destinationRegions = aliasedTable(regions, "destination_regions");

const selectRegions = (db: Tx) =>
  db
    .select({
      id: regions.id,
      code: regions.code,
      name: regions.name,
      geography: regions.geography,
    })
    .from(regions);

const selectTradeLanes = (db: Tx) =>
  db
    .select({
      id: tradeLanes.id,
      code: tradeLanes.code,
      name: tradeLanes.name,
      haul: tradeLanes.haul,
      region: { id: regions.id, code: regions.code, name: regions.name },
      originRegion: { id: originRegions.id, code: originRegions.code, name: originRegions.name },
      destinationRegion: { id: destinationRegions.id, code: destinationRegions.code, name: destinationRegions.name },
    })
    .from(tradeLanes)
    .innerJoin(regions, eq(regions.id, tradeLanes.regionId))
    .innerJoin(originRegions, eq(originRegions.id, tradeLanes.originRegionId))
    .innerJoin(destinationRegions, eq(destinationRegions.id, tradeLanes.destinationRegionId));

const selectRouteGroups = (db: Tx) =>
  db
    .select({
      id: routeGroups.id,
      code: routeGroups.code,
      name: routeGroups.name,
      cargoType: routeGroups.cargoType,
      region: { id: regions.id, code: regions.code, name: regions.name },
      tradeLane: { id: tradeLanes.id, code: tradeLanes.code, name: tradeLanes.name },
    })
    .from(routeGroups)
    .innerJoin(tradeLanes, eq(tradeLanes.id, routeGroups.tradeLaneId))
    .innerJoin(regions, eq(regions.id, tradeLanes.regionId))
    .innerJoin(originRegions, eq(originRegions.id, tradeLanes.originRegionId))
    .innerJoin(destinationRegions, eq(destinationRegions.id, tradeLanes.destinationRegionId));

/** All regions that are not retired, or one, including those without routes. */
export const findRegions = (db: Tx, code?: string) =>
  selectRegions(db)
    .where(code === undefined ? isNull(regions.retiredAt) : eq(regions.code, code))
    .orderBy(asc(regions.id));

/** The lanes of a region that are not retired, or one lane. */
export const findTradeLanes = (db: Tx, where: { region: string } | { code: string }) =>
  selectTradeLanes(db)
    .where(
      "code" in where
        ? eq(tradeLanes.code, where.code)
        : and(eq(regions.code, where.region), isNull(tradeLanes.retiredAt)),
    )
    .orderBy(asc(tradeLanes.name));

/** The groups of a lane that are not retired, or one group. */
export const findRouteGroups = (db: Tx, where: { tradeLane: string } | { code: string }) =>
  selectRouteGroups(db)
    .where(
      "code" in where
        ? eq(routeGroups.code, where.code)
        : and(eq(tradeLanes.code, where.tradeLane), isNull(routeGroups.retiredAt)),
    )
    .orderBy(asc(routeGroups.name));

export type Keyset = { limit: number; afterCode: string | null };

/** One more than `limit`, by code. */
export const pageOfRegions = (db: Tx, filter: RegionFilter, { limit, afterCode }: Keyset) =>
  selectRegions(db)
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
export const pageOfTradeLanes = (db: Tx, filter: TradeLaneFilter, { limit, afterCode }: Keyset) =>
  selectTradeLanes(db)
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
export const pageOfRouteGroups = (db: Tx, filter: RouteGroupFilter, { limit, afterCode }: Keyset) =>
  selectRouteGroups(db)
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
