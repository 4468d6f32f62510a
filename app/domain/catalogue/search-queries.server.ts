/** Catalogue search: matching, ranking and facet counts. Takes a few milliseconds for some thousand routes. */
import {
  aliasedTable,
  and,
  arrayContains,
  asc,
  desc,
  eq,
  inArray,
  isNull,
  lte,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
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
import type { Day } from "../dates.ts";
import { containsPattern, escapeLike } from "../like.ts";
import { overrideOn } from "./price-overrides-queries.server.ts";
import { freshnessPercent } from "./priced-period.ts";
import { type FacetName, facetNames, type RouteOrder, type RouteSearch } from "./search.ts";
import { searchWords } from "./search-words.ts";

export const origin = aliasedTable(ports, "origin");
export const destination = aliasedTable(ports, "destination");

/** The matching routes with the columns for facets and sorting. */
const matching = (db: Tx, search: RouteSearch, today: Day) =>
  db
    .select({
      id: routes.id,
      name: routes.name,
      region: sql<string>`${regions.code}`.as("region"),
      trade_lane: sql<string>`${tradeLanes.code}`.as("trade_lane"),
      route_group: sql<string>`${routeGroups.code}`.as("route_group"),
      carrier: sql<string>`${carriers.code}`.as("carrier"),
      cargo_type: sql<string>`${routes.cargoType}::text`.as("cargo_type"),
      distanceNm: routes.distanceNm,
      sailingsPerWeek: routes.sailingsPerWeek,
      relevance: relevanceOf(searchWords(search.q)).as("relevance"),
    })
    .from(routes)
    .innerJoin(carriers, eq(carriers.id, routes.carrierId))
    .innerJoin(routeGroups, eq(routeGroups.id, routes.routeGroupId))
    .innerJoin(tradeLanes, eq(tradeLanes.id, routeGroups.tradeLaneId))
    .innerJoin(regions, eq(regions.id, tradeLanes.regionId))
    .innerJoin(origin, eq(origin.id, routes.originPortId))
    .innerJoin(destination, eq(destination.id, routes.destinationPortId))
    .where(and(...conditions(search, today)))
    .as("matching");

/** A route with its sort key: by rank, then by name. */
export type RankedRoute = { id: number; name: string; rank: number };

/** One more than `limit`, in the requested order, after `after`. */
export const searchRanked = (
  db: Tx,
  search: RouteSearch,
  { order, today, limit, after }: { order: RouteOrder; today: Day; limit: number; after: RankedRoute | null },
): Promise<RankedRoute[]> => {
  const [found, fast, cheap] = [matching(db, search, today), fastest(db), cheapest(db, today)];
  const rank = {
    relevance: sql`-${found.relevance}`,
    name: sql`0`,
    transit: sql`coalesce(${fast.days}, 32767)`,
    distance: sql`${found.distanceNm}`,
    price: sql`coalesce(${cheap.monthlyCents}, 2147483647)`,
    sailings: sql`-${found.sailingsPerWeek}`,
  } satisfies Record<RouteOrder, SQL>;
  const ranked = db
    .select({ id: found.id, name: found.name, rank: sql<number>`(${rank[order]})::float8`.as("rank") })
    .from(found)
    .leftJoin(fast, eq(fast.routeId, found.id))
    .leftJoin(cheap, eq(cheap.routeId, found.id))
    .as("ranked");
  return db
    .select({ id: ranked.id, name: ranked.name, rank: ranked.rank })
    .from(ranked)
    .where(
      after
        ? sql`(${ranked.rank}, ${ranked.name}, ${ranked.id}) > (${after.rank}::float8, ${after.name}, ${after.id}::int)`
        : undefined,
    )
    .orderBy(asc(ranked.rank), asc(ranked.name), asc(ranked.id))
    .limit(limit + 1);
};

/** The transit days of each route's fastest service level. */
export const fastest = (db: Tx) =>
  db
    .select({ routeId: serviceLevels.routeId, days: sql<number>`min(${serviceLevels.transitDays})::int`.as("days") })
    .from(serviceLevels)
    .groupBy(serviceLevels.routeId)
    .as("fastest");

/** The lowest monthly price of each route on sale. */
export const cheapest = (db: Tx, today: Day) => {
  const prices = basePrices(today);
  return db
    .select({
      routeId: periods.routeId,
      monthlyCents: sql<number>`min(${monthlyCentsAt(prices.basePriceCents)})`.as("monthly_cents"),
    })
    .from(periods)
    .innerJoin(routes, eq(routes.id, periods.routeId))
    .innerJoin(routeGroups, eq(routeGroups.id, routes.routeGroupId))
    .innerJoin(prices, eq(prices.tradeLaneId, routeGroups.tradeLaneId))
    .leftJoin(priceOverrides, overrideOn(today))
    .where(isOnSale(today))
    .groupBy(periods.routeId)
    .as("cheapest");
};

/** The base price of each trade lane that applies on a day. */
export const basePrices = (today: Day) =>
  new QueryBuilder({ casing: "snake_case" })
    .selectDistinctOn([tradeLanePrices.tradeLaneId])
    .from(tradeLanePrices)
    .where(lte(tradeLanePrices.validFrom, today))
    .orderBy(tradeLanePrices.tradeLaneId, desc(tradeLanePrices.validFrom))
    .as("base_prices");

/** The condition of `isOnSale` on a period. */
export const isOnSale = (today: Day) =>
  sql`${periods.startsOn} <= ${today} and (${periods.endsOn} is null or ${periods.endsOn} > ${today}) and ${periods.retiredAt} is null`;

export const freshnessFactor = sql`case ${periods.freshness} ${sql.join(
  Object.entries(freshnessPercent).map(([name, percent]) => sql.raw(`when '${name}' then ${percent}`)),
  sql` `,
)} end`;

/** `monthlyPriceCents` in SQL: rounded half up, unless an operator has set it. Needs the join with `overrideOn`. */
export const monthlyCentsAt = (basePriceCents: SQLWrapper) =>
  sql<number>`coalesce(${priceOverrides.monthlyCents},
    ((${basePriceCents}::bigint * ${freshnessFactor} * ${routes.popularityPercent} * 2 + 10000) / 20000)::int)`;

/**
 * Ranks exact codes first, then ports whose names match, then the direction: earlier words rather mean the origin,
 * later ones the destination.
 */
const relevanceOf = (words: string[]) =>
  sql<number>`(${sql.join(
    [
      sql`0`,
      ...words.flatMap((word, i) => [
        points(1000, sql`upper(${word}) in (${routes.code}, ${carriers.code}, ${tradeLanes.code})`),
        points(100, or(isPort(origin, word.toUpperCase()), isPort(destination, word.toUpperCase()))),
        points(20, or(isWordOf(origin, word), isWordOf(destination, word))),
        points(2 * (words.length - i) + 1, atPort(origin, word)),
        points(2 * (i + 1), atPort(destination, word)),
      ]),
    ],
    sql` + `,
  )})`;

const points = (count: number, where: SQL | undefined) =>
  sql`case when ${where} then ${sql.raw(`${count}`)} else 0 end`;

type Port = typeof origin | typeof destination;

const isWordOf = (port: Port, word: string) =>
  sql`' ' || translate(${port.name}, '()-/,', '     ') || ' ' ilike ${`% ${escapeLike(word)} %`}`;

const atPort = (port: Port, word: string) =>
  sql`concat_ws(' ', ${port.unlocode}, ${port.altUnlocodes}::text, ${port.name}, ${port.country}) ilike ${containsPattern(word)}`;

export type FacetCount = { facet: FacetName | "all"; code: string; routes: number };

/** Counts the routes of each facet value under all other filters. `all` counts under every filter. */
export const countFacets = async (db: Tx, search: RouteSearch, today: Day): Promise<FacetCount[]> => {
  const found = matching(db, { ...search, ...withoutFacets }, today);
  const base = db
    .select({
      region: found.region,
      trade_lane: found.trade_lane,
      route_group: found.route_group,
      carrier: found.carrier,
      cargo_type: found.cargo_type,
      service_level:
        sql`array(select level::text from ${serviceLevels} where ${serviceLevels.routeId} = ${found.id})`.as(
          "service_level",
        ),
      freshness:
        sql`array(select distinct freshness::text from ${periods} where ${periods.routeId} = matching.id and ${isOnSale(today)})`.as(
          "freshness",
        ),
    })
    .from(found);
  const fitsOthers = (name: FacetName | null) =>
    and(sql`true`, ...facetNames.filter((other) => other !== name).map((other) => fits(other, search[other])));
  const counts = facetNames.map((name) => {
    const column = isMultiValued(name) ? sql`value` : sql.identifier(name);
    const from = isMultiValued(name) ? sql`base, unnest(${sql.identifier(name)}) as value` : sql`base`;
    return sql`select ${sql.raw(`'${name}'`)}, ${column}, count(*)::int from ${from} where ${fitsOthers(name)} group by 2`;
  });
  const rows = await db.execute<FacetCount>(sql`
    with base as materialized (${base})
    select 'all' as facet, '' as code, count(*)::int as routes from base where ${fitsOthers(null)}
    union all ${sql.join(counts, sql` union all `)}`);
  return [...rows];
};

/** Facets of which a route can have several values. */
const isMultiValued = (name: FacetName) => name === "service_level" || name === "freshness";

const withoutFacets = Object.fromEntries(facetNames.map((name) => [name, undefined]));

const fits = (name: FacetName, values: readonly string[] | undefined): SQL | undefined => {
  if (!values || values.length === 0) return undefined;
  const list = sql`array[${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )}]::text[]`;
  return isMultiValued(name) ? sql`${sql.identifier(name)} && ${list}` : sql`${sql.identifier(name)} = any(${list})`;
};

/** The names of facet codes, in display order. */
export const listFacetNames = async (db: Tx): Promise<{ facet: FacetName; code: string; name: string }[]> => [
  ...(await db.execute<{ facet: FacetName; code: string; name: string }>(sql`
    select 'region' as facet, code, name from ${regions} where retired_at is null
    union all select 'trade_lane', code, name from ${tradeLanes} where retired_at is null
    union all select 'route_group', code, name from ${routeGroups} where retired_at is null
    union all select 'carrier', code, name from ${carriers} where retired_at is null
    order by name`)),
];

/** The versions of all matching routes, by id. */
export const matchingVersions = (
  db: Tx,
  search: RouteSearch,
  today: Day,
): Promise<{ id: number; version: number }[]> => {
  const found = matching(db, search, today);
  return db.select({ id: found.id, version: routes.version }).from(found).innerJoin(routes, eq(routes.id, found.id));
};

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

export type PortTraffic = { unlocode: string; name: string; lat: number; lon: number; routes: number };

/** The ports of all matching routes, busiest first. */
export const portsOfMatching = (db: Tx, search: RouteSearch, today: Day): Promise<PortTraffic[]> => {
  const found = matching(db, search, today);
  return db
    .select({
      unlocode: ports.unlocode,
      name: ports.name,
      lat: ports.lat,
      lon: ports.lon,
      routes: sql`count(*)`.mapWith(Number),
    })
    .from(found)
    .innerJoin(routes, eq(routes.id, found.id))
    .innerJoin(ports, or(eq(ports.id, routes.originPortId), eq(ports.id, routes.destinationPortId)))
    .groupBy(ports.id)
    .orderBy(sql`count(*) desc`, asc(ports.name));
};

/** Filters and words are combined with "and", the values of one facet with "or". */
export const conditions = (search: RouteSearch, today: Day): (SQL | undefined)[] => [
  isNull(routes.retiredAt),
  search.origin ? isPort(origin, search.origin) : undefined,
  search.destination ? isPort(destination, search.destination) : undefined,
  search.port ? or(isPort(origin, search.port), isPort(destination, search.port)) : undefined,
  search.region?.length ? inArray(regions.code, search.region) : undefined,
  search.trade_lane?.length ? inArray(tradeLanes.code, search.trade_lane) : undefined,
  search.route_group?.length ? inArray(routeGroups.code, search.route_group) : undefined,
  search.carrier?.length ? inArray(carriers.code, search.carrier) : undefined,
  search.cargo_type?.length ? inArray(routes.cargoType, search.cargo_type) : undefined,
  search.service_level?.length
    ? sql`exists (select from ${serviceLevels} where ${serviceLevels.routeId} = ${routes.id} and ${inArray(serviceLevels.level, search.service_level)})`
    : undefined,
  search.freshness?.length
    ? sql`exists (select from ${periods} where ${periods.routeId} = ${routes.id} and ${isOnSale(today)} and ${inArray(periods.freshness, search.freshness)})`
    : undefined,
  ...searchWords(search.q).map(mentions),
];

/** A port by any of its codes: CNSHA and CNSGH are the same port. */
const isPort = (port: Port, unlocode: string) =>
  or(eq(port.unlocode, unlocode), arrayContains(port.altUnlocodes, [unlocode]));

const mentions = (word: string) =>
  sql`concat_ws(' ', ${routes.code}, ${routes.name}, ${carriers.code}, ${carriers.name},
      ${origin.unlocode}, ${origin.altUnlocodes}::text, ${origin.countryCode}, ${origin.country},
      ${destination.unlocode}, ${destination.altUnlocodes}::text, ${destination.countryCode}, ${destination.country},
      ${tradeLanes.code}, ${tradeLanes.name}) ilike ${containsPattern(word)}`;
