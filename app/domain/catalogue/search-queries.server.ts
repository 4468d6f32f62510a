/** What the search index is made of, and what routes on sale cost. */
import { aliasedTable, desc, eq, lte, type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/pg-core";
import {
  carriers,
  periods,
  ports,
  priceOverrides,
  regions,
  routeGroups,
  routes,
  serviceLevels,
  tradeLanePrices,
  tradeLanes,
} from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { statement } from "../../platform/statement.server.ts";
import type { Day } from "../dates.ts";
import { freshnesses, serviceLevelNames } from "./enums.ts";
import { overrideOn } from "./price-overrides-queries.server.ts";
import { freshnessPercent } from "./priced-period.ts";
import type { IndexedRoute } from "./search-columns.ts";
import type { Directory } from "./search-vocabulary.ts";

export const origin = aliasedTable(ports, "origin");
export const destination = aliasedTable(ports, "destination");

/** A route that has changed, or 0 for changes that concern many routes, and the revision of its last change. */
export type SearchChange = { routeId: number; revision: number };

/** Changes after a revision, the latest first. */
export const searchChangesAfter = async (db: Tx, revision: number, limit: number): Promise<SearchChange[]> =>
  (await selectChanges(db, { revision, limit })).map((row) => ({
    routeId: row.route_id,
    revision: Number(row.revision),
  }));

const selectChanges = statement<{ route_id: number; revision: string }, { revision: number; limit: number }>(
  (of) => sql`
    select route_id, revision from route_search_changes
    where revision > ${of.revision}::bigint order by revision desc limit ${of.limit}::integer`,
);

/** Routes that are not retired. @param ids null: all */
export const routesToIndex = async (db: Tx, today: Day, ids: number[] | null): Promise<IndexedRoute[]> => {
  const among = (column: SQL | typeof routes.id | typeof periods.routeId | typeof serviceLevels.routeId): SQL =>
    ids === null ? sql`true` : sql`${column} = any(${sql.param(ids)}::int[])`;
  const prices = basePrices(today);
  const rows = await db.execute<IndexedRoute>(sql`
    with level as (
      select ${serviceLevels.routeId} as route_id, bit_or(${bitOf(serviceLevels.level, serviceLevelNames)}) as levels,
        min(${serviceLevels.transitDays})::int as transit_days
      from ${serviceLevels} where ${among(serviceLevels.routeId)} group by 1
    ), sale as (
      select ${periods.routeId} as route_id, bit_or(${bitOf(periods.freshness, freshnesses)}) as freshnesses,
        min(${monthlyCentsAt(prices.basePriceCents)}) filter (where ${prices.basePriceCents} is not null) as monthly_cents
      from ${periods}
      join ${routes} on ${routes.id} = ${periods.routeId}
      join ${routeGroups} on ${routeGroups.id} = ${routes.routeGroupId}
      left join ${prices} on ${prices.tradeLaneId} = ${routeGroups.tradeLaneId}
      left join ${priceOverrides} on ${overrideOn(today)}
      where ${among(periods.routeId)} and ${isOnSale(today)} group by 1
    )
    select ${routes.id} as id, ${routes.code} as code, ${routes.name} as name, ${routes.routeGroupId} as "groupId",
      ${routes.carrierId} as "carrierId", ${routes.cargoType} as "cargoType", ${routes.originPortId} as "originId",
      ${routes.destinationPortId} as "destinationId", ${routes.distanceNm} as "distanceNm",
      ${routes.sailingsPerWeek} as "sailingsPerWeek", ${routes.isSample} as "isSample",
      coalesce(level.levels, 0) as levels, level.transit_days as "transitDays",
      coalesce(sale.freshnesses, 0) as freshnesses, sale.monthly_cents as "monthlyCents"
    from ${routes} left join level on level.route_id = ${routes.id} left join sale on sale.route_id = ${routes.id}
    where ${routes.retiredAt} is null and ${among(routes.id)}`);
  return [...rows];
};

/** The bit of an enum's value, in the order of the values. */
const bitOf = (column: typeof serviceLevels.level | typeof periods.freshness, values: readonly string[]): SQL =>
  sql`case ${column} ${sql.join(
    values.map((value, bit) => sql.raw(`when '${value}' then ${1 << bit}`)),
    sql` `,
  )} end`;

/** All records that routes refer to. Retired ones may still be referred to. */
export const directoryToIndex = async (db: Tx): Promise<Directory> => {
  const isRetired = (column: SQL | typeof ports.retiredAt) => sql<boolean>`${column} is not null`;
  return {
    regions: await db
      .select({
        id: regions.id,
        code: regions.code,
        name: regions.name,
        geography: regions.geography,
        isRetired: isRetired(sql`${regions.retiredAt}`),
      })
      .from(regions)
      .orderBy(regions.name),
    lanes: await db
      .select({
        id: tradeLanes.id,
        code: tradeLanes.code,
        name: tradeLanes.name,
        regionId: tradeLanes.regionId,
        isRetired: isRetired(sql`${tradeLanes.retiredAt}`),
      })
      .from(tradeLanes)
      .orderBy(tradeLanes.name),
    groups: await db
      .select({
        id: routeGroups.id,
        code: routeGroups.code,
        name: routeGroups.name,
        laneId: routeGroups.tradeLaneId,
        isRetired: isRetired(sql`${routeGroups.retiredAt}`),
      })
      .from(routeGroups)
      .orderBy(routeGroups.name),
    carriers: await db
      .select({
        id: carriers.id,
        code: carriers.code,
        name: carriers.name,
        isRetired: isRetired(sql`${carriers.retiredAt}`),
      })
      .from(carriers)
      .orderBy(carriers.name),
    ports: await db
      .select({
        id: ports.id,
        unlocode: ports.unlocode,
        altUnlocodes: ports.altUnlocodes,
        name: ports.name,
        countryCode: ports.countryCode,
        country: ports.country,
        lat: ports.lat,
        lon: ports.lon,
        regionId: ports.regionId,
        tier: ports.tier,
        isRetired: isRetired(sql`${ports.retiredAt}`),
      })
      .from(ports)
      .orderBy(ports.name),
  };
};

/** The base price of each trade lane that applies on a day. */
export const basePrices = (today: Day | Placeholder) =>
  new QueryBuilder({ casing: "snake_case" })
    .selectDistinctOn([tradeLanePrices.tradeLaneId])
    .from(tradeLanePrices)
    .where(lte(tradeLanePrices.validFrom, today))
    .orderBy(tradeLanePrices.tradeLaneId, desc(tradeLanePrices.validFrom))
    .as("base_prices");

/** The condition of `isOnSale` on a period. */
export const isOnSale = (today: Day | Placeholder) =>
  sql`${periods.startsOn} <= ${today} and (${periods.endsOn} is null or ${periods.endsOn} > ${today}) and ${periods.retiredAt} is null
    and not exists (select from ${routes} sample where sample.id = ${periods.routeId} and sample.is_sample)`;

export const freshnessFactor = sql`case ${periods.freshness} ${sql.join(
  Object.entries(freshnessPercent).map(([name, percent]) => sql.raw(`when '${name}' then ${percent}`)),
  sql` `,
)} end`;

/** `monthlyPriceCents` in SQL: rounded half up, unless an operator has set it. Needs the join with `overrideOn`. */
export const monthlyCentsAt = (basePriceCents: SQLWrapper) =>
  sql<number>`coalesce(${priceOverrides.monthlyCents},
    ((${basePriceCents}::bigint * ${freshnessFactor} * ${routes.popularityPercent} * 2 + 10000) / 20000)::int)`;

/** Paths with their ports. */
export const geometriesWithPorts = (db: Tx, ids: number[]) =>
  db
    .select({
      id: routes.id,
      version: routes.version,
      waypoints: routes.waypoints,
      passages: routes.passages,
      origin: { unlocode: origin.unlocode, lat: origin.lat, lon: origin.lon },
      destination: { unlocode: destination.unlocode, lat: destination.lat, lon: destination.lon },
    })
    .from(routes)
    .innerJoin(origin, eq(origin.id, routes.originPortId))
    .innerJoin(destination, eq(destination.id, routes.destinationPortId))
    .where(sql`${routes.id} = any(${sql.param(ids)}::int[])`);

/** Changes with the version of any of these routes. */
export const fingerprintOfRoutes = async (db: Tx, ids: number[]): Promise<string> => {
  const [row] = await db
    .select({
      hash: sql<string>`md5(coalesce(string_agg(${routes.id} || ' ' || ${routes.version}, ',' order by ${routes.id}), ''))`,
    })
    .from(routes)
    .where(sql`${routes.id} = any(${sql.param(ids)}::int[])`);
  return row?.hash ?? "";
};

export const versionsOfRoutes = (db: Tx, ids: number[]): Promise<{ id: number; version: number }[]> =>
  db
    .select({ id: routes.id, version: routes.version })
    .from(routes)
    .where(sql`${routes.id} = any(${sql.param(ids)}::int[])`);
