import { aliasedTable, and, asc, eq, isNull, sql } from "drizzle-orm";
import { regions, routeGroups, routes, tradeLanes } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";
import { cheapest, fastest } from "./search-queries.server.ts";

const destinationRegions = aliasedTable(regions, "destination_regions");

const figures = ({ fast, cheap }: { fast: ReturnType<typeof fastest>; cheap: ReturnType<typeof cheapest> }) => ({
  routes: sql`count(distinct ${routes.id})`.mapWith(Number),
  tradeLanes: sql`count(distinct ${tradeLanes.id})`.mapWith(Number),
  routeGroups: sql`count(distinct ${routeGroups.id})`.mapWith(Number),
  carriers: sql`count(distinct ${routes.carrierId})`.mapWith(Number),
  medianTransitDays: sql<number | null>`percentile_cont(0.5) within group (order by ${fast.days})`,
  sailingsPerWeek: sql`coalesce(sum(${routes.sailingsPerWeek}), 0)`.mapWith(Number),
  priceFromCents: sql<number | null>`min(${cheap.monthlyCents})`,
});

/** All regions that are not retired, or one, including those without routes. */
export const findRegions = (db: Tx, today: Day, code?: string) => {
  const [fast, cheap] = [fastest(db), cheapest(db, today)];
  return db
    .select({ code: regions.code, name: regions.name, geography: regions.geography, ...figures({ fast, cheap }) })
    .from(regions)
    .leftJoin(tradeLanes, and(eq(tradeLanes.regionId, regions.id), isNull(tradeLanes.retiredAt)))
    .leftJoin(routeGroups, and(eq(routeGroups.tradeLaneId, tradeLanes.id), isNull(routeGroups.retiredAt)))
    .leftJoin(routes, and(eq(routes.routeGroupId, routeGroups.id), isNull(routes.retiredAt)))
    .leftJoin(fast, eq(fast.routeId, routes.id))
    .leftJoin(cheap, eq(cheap.routeId, routes.id))
    .where(code === undefined ? isNull(regions.retiredAt) : eq(regions.code, code))
    .groupBy(regions.id)
    .orderBy(asc(regions.id));
};

/** The lanes of a region that are not retired, or one lane. */
export const findTradeLanes = (db: Tx, today: Day, where: { region: string } | { code: string }) => {
  const [fast, cheap] = [fastest(db), cheapest(db, today)];
  return db
    .select({
      code: tradeLanes.code,
      name: tradeLanes.name,
      haul: tradeLanes.haul,
      region: { code: regions.code, name: regions.name },
      destinationRegion: { code: destinationRegions.code, name: destinationRegions.name },
      ...figures({ fast, cheap }),
    })
    .from(tradeLanes)
    .innerJoin(regions, eq(regions.id, tradeLanes.regionId))
    .innerJoin(destinationRegions, eq(destinationRegions.id, tradeLanes.destinationRegionId))
    .leftJoin(routeGroups, and(eq(routeGroups.tradeLaneId, tradeLanes.id), isNull(routeGroups.retiredAt)))
    .leftJoin(routes, and(eq(routes.routeGroupId, routeGroups.id), isNull(routes.retiredAt)))
    .leftJoin(fast, eq(fast.routeId, routes.id))
    .leftJoin(cheap, eq(cheap.routeId, routes.id))
    .where(
      "code" in where
        ? eq(tradeLanes.code, where.code)
        : and(eq(regions.code, where.region), isNull(tradeLanes.retiredAt)),
    )
    .groupBy(tradeLanes.id, regions.id, destinationRegions.id)
    .orderBy(asc(tradeLanes.name));
};

/** The groups of a lane that are not retired, or one group. */
export const findRouteGroups = (db: Tx, today: Day, where: { tradeLane: string } | { code: string }) => {
  const [fast, cheap] = [fastest(db), cheapest(db, today)];
  return db
    .select({
      code: routeGroups.code,
      name: routeGroups.name,
      cargoType: routeGroups.cargoType,
      region: { code: regions.code, name: regions.name },
      tradeLane: { code: tradeLanes.code, name: tradeLanes.name },
      ...figures({ fast, cheap }),
    })
    .from(routeGroups)
    .innerJoin(tradeLanes, eq(tradeLanes.id, routeGroups.tradeLaneId))
    .innerJoin(regions, eq(regions.id, tradeLanes.regionId))
    .leftJoin(routes, and(eq(routes.routeGroupId, routeGroups.id), isNull(routes.retiredAt)))
    .leftJoin(fast, eq(fast.routeId, routes.id))
    .leftJoin(cheap, eq(cheap.routeId, routes.id))
    .where(
      "code" in where
        ? eq(routeGroups.code, where.code)
        : and(eq(tradeLanes.code, where.tradeLane), isNull(routeGroups.retiredAt)),
    )
    .groupBy(routeGroups.id, tradeLanes.id, regions.id)
    .orderBy(asc(routeGroups.name));
};
