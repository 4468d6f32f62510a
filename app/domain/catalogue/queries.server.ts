import {
  and,
  asc,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  or,
  type Placeholder,
  sql,
} from "drizzle-orm";
import {
  baseRates,
  carriers,
  periods,
  priceOverrides,
  regions,
  reports,
  routeGroups,
  routes,
  serviceLevels,
  surcharges,
  tradeLanes,
} from "#drizzle/schema/index.ts";
import { batchByKey } from "../../platform/batch-by-key.server.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { isOneOf } from "../../platform/is-one-of.server.ts";
import { statement } from "../../platform/statement.server.ts";
import type { Day } from "../dates.ts";
import type { Named, RouteLabel, RouteSummary } from "./browse.ts";
import { ageColumns } from "./freshness-columns.server.ts";
import type { Period } from "./period.ts";
import { overrideOn } from "./price-overrides-queries.server.ts";
import type { PricedPeriod } from "./priced-period.ts";
import type { RateKind } from "./rate-kind.ts";
import type { Report, ReportFilter } from "./report.ts";
import { reportColumns } from "./report-columns.server.ts";
import { basePrices, destination, isOnSale, origin } from "./search-queries.server.ts";
import type { Surcharge } from "./surcharges.ts";

const portColumns = (port: typeof origin | typeof destination) => ({
  unlocode: port.unlocode,
  name: port.name,
  countryCode: port.countryCode,
  country: port.country,
  lat: port.lat,
  lon: port.lon,
  altUnlocodes: port.altUnlocodes,
  timezone: port.timezone,
});

/** Routes with the names of the records that they refer to. */
const selectRoutes = (db: Tx) =>
  db
    .select({
      id: routes.id,
      code: routes.code,
      name: routes.name,
      cargoType: routes.cargoType,
      carrier: { id: carriers.id, code: carriers.code, name: carriers.name },
      region: { id: regions.id, code: regions.code, name: regions.name },
      tradeLane: { id: tradeLanes.id, code: tradeLanes.code, name: tradeLanes.name },
      routeGroup: { id: routeGroups.id, code: routeGroups.code, name: routeGroups.name },
      origin: portColumns(origin),
      destination: portColumns(destination),
      distanceNm: routes.distanceNm,
      sailingsPerWeek: routes.sailingsPerWeek,
      isSample: routes.isSample,
    })
    .from(routes)
    .innerJoin(carriers, eq(carriers.id, routes.carrierId))
    .innerJoin(routeGroups, eq(routeGroups.id, routes.routeGroupId))
    .innerJoin(tradeLanes, eq(tradeLanes.id, routeGroups.tradeLaneId))
    .innerJoin(regions, eq(regions.id, tradeLanes.regionId))
    .innerJoin(origin, eq(origin.id, routes.originPortId))
    .innerJoin(destination, eq(destination.id, routes.destinationPortId));

type BareSummary = Omit<RouteSummary, "serviceLevels" | "transitDays" | "periods">;

export const findSummaries = async (db: Tx, ids: number[]): Promise<BareSummary[]> =>
  ids.length === 0 ? [] : summariesIn(db).execute({ ids });

const summariesIn = perDatabase((db) =>
  selectRoutes(db)
    .where(isOneOf(routes.id, sql.placeholder("ids")))
    .prepare("route_summaries"),
);

/** Express first. */
export const levelsOf = batchByKey(
  (db, routeIds) => levelsIn(db).execute({ routeIds }),
  ({ routeId }) => routeId,
);

const levelsIn = perDatabase((db) =>
  db
    .select()
    .from(serviceLevels)
    .where(isOneOf(serviceLevels.routeId, sql.placeholder("routeIds")))
    .orderBy(asc(serviceLevels.level))
    .prepare("levels_of_routes"),
);

export const findRouteId = async (db: Tx, code: string): Promise<number | null> => {
  const [row] = await db.select({ id: routes.id }).from(routes).where(eq(routes.code, code));
  return row?.id ?? null;
};

/** The columns of a route that require a subscription. */
export const findRouteRow = async (db: Tx, id: number) => {
  const [row] = await routeRowIn(db).execute({ id });
  return row ?? null;
};

const routeRowIn = perDatabase((db) =>
  db
    .select()
    .from(routes)
    .where(eq(routes.id, sql.placeholder("id")))
    .prepare("route_row"),
);

export const findRouteNames = batchByKey(
  (db, ids): Promise<Named[]> => findRouteNamesIn(db).execute({ ids }),
  ({ id }) => id,
);

const findRouteNamesIn = perDatabase((db) =>
  db
    .select({ id: routes.id, code: routes.code, name: routes.name })
    .from(routes)
    .where(isOneOf(routes.id, sql.placeholder("ids")))
    .prepare("route_names"),
);

/** What tells routes between the same ports apart. */
export const findRouteLabels = batchByKey(
  (db, ids): Promise<RouteLabel[]> => findRouteLabelsIn(db).execute({ ids }),
  ({ id }) => id,
);

const findRouteLabelsIn = perDatabase((db) =>
  db
    .select({
      id: routes.id,
      code: routes.code,
      name: routes.name,
      cargoType: routes.cargoType,
      carrier: carriers.name,
      tradeLane: { id: tradeLanes.id, code: tradeLanes.code, name: tradeLanes.name },
    })
    .from(routes)
    .innerJoin(carriers, eq(carriers.id, routes.carrierId))
    .innerJoin(routeGroups, eq(routeGroups.id, routes.routeGroupId))
    .innerJoin(tradeLanes, eq(tradeLanes.id, routeGroups.tradeLaneId))
    .where(isOneOf(routes.id, sql.placeholder("ids")))
    .prepare("route_labels"),
);

export const ratesOf = (db: Tx, routeId: number) => ratesIn(db).execute({ routeId });

const ratesIn = perDatabase((db) =>
  db
    .select()
    .from(baseRates)
    .where(eq(baseRates.routeId, sql.placeholder("routeId")))
    .orderBy(asc(baseRates.serviceLevel), asc(baseRates.equipmentType), asc(baseRates.validFrom))
    .prepare("rates_of_route"),
);

const inForce = (table: typeof baseRates | typeof surcharges, today: Placeholder) =>
  and(lte(table.validFrom, today), or(isNull(table.validTo), gte(table.validTo, today)));

/** In force on a day, by route. */
export const ratesOfRoutes = (db: Tx, routeIds: number[], today: Day) =>
  ratesInForceIn(db).execute({ routeIds, today });

const ratesInForceIn = perDatabase((db) =>
  db
    .select()
    .from(baseRates)
    .where(and(isOneOf(baseRates.routeId, sql.placeholder("routeIds")), inForce(baseRates, sql.placeholder("today"))))
    .orderBy(asc(baseRates.routeId), asc(baseRates.serviceLevel), asc(baseRates.equipmentType))
    .prepare("rates_of_routes"),
);

/** In force on a day, by route. */
export const surchargesOfRoutes = async (db: Tx, routeIds: number[], today: Day) => {
  const rows = await surchargesInForceIn(db).execute({ routeIds, today });
  return rows.map(surchargeOf);
};

const surchargesInForceIn = perDatabase((db) =>
  db
    .select()
    .from(surcharges)
    .where(and(isOneOf(surcharges.routeId, sql.placeholder("routeIds")), inForce(surcharges, sql.placeholder("today"))))
    .orderBy(asc(surcharges.routeId), desc(surcharges.mandatory), asc(surcharges.code))
    .prepare("surcharges_of_routes"),
);

export const surchargesOf = async (db: Tx, routeId: number): Promise<Surcharge[]> => {
  const rows = await surchargesIn(db).execute({ routeId });
  return rows.map(surchargeOf);
};

const surchargesIn = perDatabase((db) =>
  db
    .select()
    .from(surcharges)
    .where(eq(surcharges.routeId, sql.placeholder("routeId")))
    .orderBy(desc(surcharges.mandatory), asc(surcharges.code))
    .prepare("surcharges_of_route"),
);

const surchargeOf = ({
  exchangeRate: rate,
  exchangeRateAsOf: asOf,
  exchangeRateSource: source,
  ...surcharge
}: typeof surcharges.$inferSelect) => ({
  ...surcharge,
  exchangeRate: rate !== null && asOf !== null && source !== null ? { rate, asOf, source } : null,
});

export const setPopularity = (db: Tx, routeIds: number[], popularityPercent: number) =>
  db
    .update(routes)
    .set({ popularityPercent, version: sql`${routes.version} + 1` })
    .where(inArray(routes.id, routeIds));

const ownPeriodColumns = {
  id: periods.id,
  code: periods.code,
  name: periods.name,
  routeId: periods.routeId,
  startsOn: periods.startsOn,
  endsOn: periods.endsOn,
  freshness: periods.freshness,
  successorPeriodId: periods.successorPeriodId,
  retiredAt: periods.retiredAt,
};

const periodColumns = { ...ownPeriodColumns, ...ageColumns };

/** Newest first. */
export const periodsOfRoutes = (db: Tx, routeIds: number[]): Promise<Period[]> =>
  periodsOfRoutesIn(db).execute({ routeIds });

const periodsOfRoutesIn = perDatabase((db) =>
  db
    .select(ownPeriodColumns)
    .from(periods)
    .where(isOneOf(periods.routeId, sql.placeholder("routeIds")))
    .orderBy(desc(periods.startsOn), desc(periods.id))
    .prepare("periods_of_routes"),
);

export const bumpVersions = (db: Tx, routeIds: number[], updatedAt: Date) =>
  db
    .update(routes)
    .set({ updatedAt, version: sql`${routes.version} + 1` })
    .where(sql`${routes.id} = any(${sql.param(routeIds)}::int[])`);

/** Newest first. */
export const periodsOf = (db: Tx, routeId: number): Promise<(Period & ObservedAge)[]> =>
  periodsIn(db).execute({ routeId });

const periodsIn = perDatabase((db) =>
  db
    .select(periodColumns)
    .from(periods)
    .innerJoin(routes, eq(routes.id, periods.routeId))
    .innerJoin(routeGroups, eq(routeGroups.id, routes.routeGroupId))
    .innerJoin(tradeLanes, eq(tradeLanes.id, routeGroups.tradeLaneId))
    .where(eq(periods.routeId, sql.placeholder("routeId")))
    .orderBy(desc(periods.startsOn), desc(periods.id))
    .prepare("periods_of_route"),
);

/** The input of `dataAge`. */
type ObservedAge = { dataAsOf: Date | null; maxAgeMinutes: number };

/** How old the data of these periods is. */
export const agesOf = batchByKey(
  async (db, periodIds): Promise<(ObservedAge & { id: number })[]> =>
    (await selectAges(db, { periodIds })).map(({ id, data_as_of, max_age_minutes }) => ({
      id,
      dataAsOf: data_as_of === null ? null : new Date(data_as_of),
      maxAgeMinutes: max_age_minutes,
    })),
  ({ id }) => id,
);

const selectAges = statement<
  { id: number; data_as_of: string | null; max_age_minutes: number },
  { periodIds: number[] }
>(
  ({ periodIds }) => sql`
    select ${periods.id} as id, ${ageColumns.dataAsOf} as data_as_of, ${ageColumns.maxAgeMinutes} as max_age_minutes
    from unnest((select ${periodIds}::integer[])) as wanted (id)
    join ${periods} on ${periods.id} = wanted.id
    join ${routes} on ${routes.id} = ${periods.routeId}
    join ${routeGroups} on ${routeGroups.id} = ${routes.routeGroupId}
    join ${tradeLanes} on ${tradeLanes.id} = ${routeGroups.tradeLaneId}`,
);

/** Periods of lanes without a base price on that day are left out. */
const selectPriced = <Columns extends typeof ownPeriodColumns>(db: Tx, today: Placeholder, columns: Columns) => {
  const prices = basePrices(today);
  return db
    .select({
      ...columns,
      basePriceCents: prices.basePriceCents,
      popularityPercent: routes.popularityPercent,
      overrideCents: priceOverrides.monthlyCents,
      isSample: routes.isSample,
    })
    .from(periods)
    .innerJoin(routes, eq(routes.id, periods.routeId))
    .innerJoin(routeGroups, eq(routeGroups.id, routes.routeGroupId))
    .innerJoin(tradeLanes, eq(tradeLanes.id, routeGroups.tradeLaneId))
    .innerJoin(prices, eq(prices.tradeLaneId, tradeLanes.id))
    .leftJoin(priceOverrides, overrideOn(today));
};

/** The periods of these routes that are on sale. */
export const periodsOnSale = (db: Tx, routeIds: number[], today: Day): Promise<(PricedPeriod & ObservedAge)[]> =>
  periodsOnSaleIn(db).execute({ routeIds, today });

const periodsOnSaleIn = perDatabase((db) =>
  selectPriced(db, sql.placeholder("today"), periodColumns)
    .where(and(isOneOf(periods.routeId, sql.placeholder("routeIds")), isOnSale(sql.placeholder("today"))))
    .orderBy(asc(periods.startsOn), asc(periods.id))
    .prepare("periods_on_sale"),
);

export const findPricedPeriods = batchByKey(
  (db, ids, today: Day): Promise<PricedPeriod[]> => findPricedPeriodsIn(db).execute({ ids, today }),
  ({ id }) => id,
);

const findPricedPeriodsIn = perDatabase((db) =>
  selectPriced(db, sql.placeholder("today"), ownPeriodColumns)
    .where(isOneOf(periods.id, sql.placeholder("ids")))
    .prepare("priced_periods"),
);

export const pricedPeriodsOf = batchByKey(
  (db, routeIds, today: Day): Promise<PricedPeriod[]> => pricedPeriodsOfIn(db).execute({ routeIds, today }),
  ({ routeId }) => routeId,
);

const pricedPeriodsOfIn = perDatabase((db) =>
  selectPriced(db, sql.placeholder("today"), ownPeriodColumns)
    .where(isOneOf(periods.routeId, sql.placeholder("routeIds")))
    .prepare("priced_periods_of"),
);

export const equipmentTypesIn = async (db: Tx, periodId: number): Promise<string[]> => {
  const rows = await equipmentTypesInPeriod(db).execute({ periodId });
  return rows.map(({ code }) => code);
};

const equipmentTypesInPeriod = perDatabase((db) =>
  db
    .selectDistinct({ code: reports.equipmentType })
    .from(reports)
    .where(and(eq(reports.periodId, sql.placeholder("periodId")), ne(reports.equipmentType, "")))
    .orderBy(asc(reports.equipmentType))
    .prepare("equipment_types_in_period"),
);

/** What the periods' rates are reported for. */
export const rateKindsIn = (db: Tx, periodIds: number[]): Promise<RateKind[]> =>
  rateKindsInPeriods(db).execute({ periodIds });

const rateKindsInPeriods = perDatabase((db) =>
  db
    .selectDistinct({ serviceLevel: reports.serviceLevel, equipmentType: reports.equipmentType })
    .from(reports)
    .where(
      and(
        isOneOf(reports.periodId, sql.placeholder("periodIds")),
        eq(reports.type, "rate"),
        isNotNull(reports.baseRateCents),
      ),
    )
    .orderBy(asc(reports.equipmentType), asc(reports.serviceLevel))
    .prepare("rate_kinds_in_periods"),
);

/** One more than `limit`, newest first, after `after`. */
export const searchReports = (
  db: Tx,
  filter: ReportFilter,
  limit: number,
  after: [observedAt: string, id: number] | null,
): Promise<Report[]> =>
  filter.periodIds.length === 0
    ? Promise.resolve([])
    : db
        .select(reportColumns)
        .from(reports)
        .where(
          and(
            inArray(reports.periodId, filter.periodIds),
            filter.type && eq(reports.type, filter.type),
            filter.serviceLevel && eq(reports.serviceLevel, filter.serviceLevel),
            filter.equipmentTypes && inArray(reports.equipmentType, filter.equipmentTypes),
            filter.from && gte(reports.observedAt, filter.from),
            filter.to && lt(reports.observedAt, filter.to),
            after ? sql`(${reports.observedAt}, ${reports.id}) < (${after[0]}::timestamptz, ${after[1]})` : undefined,
          ),
        )
        .orderBy(desc(reports.observedAt), desc(reports.id))
        .limit(limit + 1);
