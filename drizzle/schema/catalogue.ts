/**
 * The catalogue: region > trade lane > route group > route > period > report. Tables whose former values are kept also have
 * the column `known_from`, which `history.follow` adds in SQL: docs/decisions/0031.
 */

import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import {
  bookingStatuses,
  capacityUnits,
  cargoTypes,
  freshnesses,
  hauls,
  periodPolicies,
  priceChangeReasons,
  priceOverrideKinds,
  rateBases,
  reportTypes,
  serviceLevelNames,
} from "../../app/domain/catalogue/enums.ts";
import type { ReportedSurcharge } from "../../app/domain/catalogue/reported-surcharge.ts";
import type { Waypoint } from "../../app/domain/catalogue/waypoint.ts";
import { accounts } from "./accounts.ts";
import { bigId, day, id, instant } from "./columns.ts";

export const cargoType = pgEnum("cargo_type", cargoTypes);

export const serviceLevelName = pgEnum("service_level_name", serviceLevelNames);

export const freshness = pgEnum("freshness", freshnesses);

export const bookingStatus = pgEnum("booking_status", bookingStatuses);

export const haul = pgEnum("haul", hauls);

export const reportType = pgEnum("report_type", reportTypes);

export const rateBasis = pgEnum("rate_basis", rateBases);

export const capacityUnit = pgEnum("capacity_unit", capacityUnits);

export const priceOverrideKind = pgEnum("price_override_kind", priceOverrideKinds);

export const priceChangeReason = pgEnum("price_change_reason", priceChangeReasons);
export const periodPolicy = pgEnum("period_policy", periodPolicies);

export const regions = pgTable("regions", {
  id: id(),
  code: text().notNull().unique(),
  name: text().notNull(),
  geography: text().notNull(),
  /** Null: offered. What belongs to a retired record is retired with it. */
  retiredAt: instant(),
});

export const ports = pgTable(
  "ports",
  {
    id: id(),
    /** UN/LOCODE as the trade writes it. */
    unlocode: text().notNull().unique(),
    /** Other codes of the same port. Every look-up accepts them. */
    altUnlocodes: text().array().notNull().default([]),
    name: text().notNull(),
    countryCode: text().notNull(),
    country: text().notNull(),
    regionId: integer()
      .notNull()
      .references(() => regions.id),
    lat: doublePrecision().notNull(),
    lon: doublePrecision().notNull(),
    /** From 1 (a hub) to 3 (a feeder port). */
    tier: smallint().notNull(),
    cargoTypes: cargoType().array().notNull(),
    /** IANA time zone. */
    timezone: text().notNull(),
    retiredAt: instant(),
  },
  (t) => [index("ports_alt_unlocodes_idx").using("gin", t.altUnlocodes)],
);

export const carriers = pgTable("carriers", {
  id: id(),
  code: text().notNull().unique(),
  name: text().notNull(),
  cargoTypes: cargoType().array().notNull(),
  retiredAt: instant(),
});

export const tradeLanes = pgTable(
  "trade_lanes",
  {
    id: id(),
    code: text().notNull().unique(),
    name: text().notNull(),
    regionId: integer()
      .notNull()
      .references(() => regions.id),
    originRegionId: integer()
      .notNull()
      .references(() => regions.id),
    destinationRegionId: integer()
      .notNull()
      .references(() => regions.id),
    haul: haul().notNull(),
    /** The freshness of periods that the scheduler opens. Null: that of the period before. */
    periodFreshness: freshness(),
    /** The lane's own maximum ages of data, in minutes. Null: the service's (`freshness.ts`). */
    realTimeMinutes: integer(),
    dailyMinutes: integer(),
    weeklyMinutes: integer(),
    retiredAt: instant(),
  },
  (t) => [
    check("trade_lanes_real_time_minutes", sql`${t.realTimeMinutes} between 1 and 60`),
    check("trade_lanes_daily_minutes", sql`${t.dailyMinutes} between 1 and 1440`),
    check("trade_lanes_weekly_minutes", sql`${t.weeklyMinutes} between 1 and 10080`),
  ],
);

/** A trade lane's base prices. Each applies from its first day until the next one's. */
export const tradeLanePrices = pgTable(
  "trade_lane_prices",
  {
    tradeLaneId: integer()
      .notNull()
      .references(() => tradeLanes.id, { onDelete: "cascade" }),
    validFrom: day().notNull(),
    /** The price of one month of weekly data for one route, before the popularity factor. */
    basePriceCents: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tradeLaneId, t.validFrom] }),
    check("trade_lane_prices_positive", sql`${t.basePriceCents} > 0`),
  ],
);

export const routeGroups = pgTable(
  "route_groups",
  {
    id: id(),
    code: text().notNull().unique(),
    name: text().notNull(),
    tradeLaneId: integer()
      .notNull()
      .references(() => tradeLanes.id),
    cargoType: cargoType().notNull(),
    retiredAt: instant(),
  },
  (t) => [index("route_groups_trade_lane_id_idx").on(t.tradeLaneId)],
);

export const routes = pgTable(
  "routes",
  {
    id: id(),
    code: text().notNull().unique(),
    name: text().notNull(),
    routeGroupId: integer()
      .notNull()
      .references(() => routeGroups.id),
    carrierId: integer()
      .notNull()
      .references(() => carriers.id),
    cargoType: cargoType().notNull(),
    originPortId: integer()
      .notNull()
      .references(() => ports.id),
    destinationPortId: integer()
      .notNull()
      .references(() => ports.id),
    distanceNm: integer().notNull(),
    /** Named canals and straits on the way. */
    passages: text().array().notNull().default([]),
    transhipments: smallint().notNull().default(0),
    intermediateCalls: smallint().notNull().default(0),
    /** Sailings a week; below 1 for fortnightly and monthly services. */
    sailingsPerWeek: doublePrecision().notNull(),
    /** ISO weekdays of departure, 1 = Monday. */
    departureWeekdays: smallint().array().notNull(),
    /** The path from port to port. JSON, because it is always read as a whole. */
    waypoints: jsonb().$type<Waypoint[]>().notNull(),
    /** Per sailing, in the cargo type's unit: TEU, tonnes DWT, lane metres or freight tonnes. */
    capacityNominal: integer().notNull(),
    capacityAvailable: integer().notNull(),
    bookingStatus: bookingStatus().notNull(),
    capacityObservedAt: instant().notNull(),
    /** The price factor from recent demand, 80 to 150. Recomputed nightly. */
    popularityPercent: smallint().notNull().default(80),
    periodPolicy: periodPolicy().notNull().default("quarterly"),
    /** Its data is open to everybody, and it is not sold. */
    isSample: boolean().notNull().default(false),
    /** Incremented by every change of the route's data. Route documents are cached by version. */
    version: integer().notNull().default(1),
    updatedAt: instant().notNull(),
    retiredAt: instant(),
  },
  (t) => [
    index("routes_route_group_id_idx").on(t.routeGroupId),
    index("routes_origin_port_id_idx").on(t.originPortId),
    index("routes_destination_port_id_idx").on(t.destinationPortId),
    index("routes_carrier_id_idx").on(t.carrierId),
    uniqueIndex("routes_one_sample_per_cargo_type").on(t.cargoType).where(sql`${t.isSample}`),
    check("routes_popularity_percent", sql`${t.popularityPercent} between 80 and 150`),
    check("routes_capacity", sql`${t.capacityAvailable} between 0 and ${t.capacityNominal}`),
  ],
);

/**
 * In which revision of the catalogue something that the search shows or finds was last changed, by route. Triggers write
 * it, see the migration `record_search_changes`. Route 0: something that belongs to many routes, such as a port's name.
 */
export const routeSearchChanges = pgTable(
  "route_search_changes",
  {
    /** No reference: it outlives the route. */
    routeId: integer().primaryKey(),
    /** That of `catalogue_state`. */
    revision: bigint({ mode: "number" }).notNull(),
  },
  (t) => [index("route_search_changes_revision_idx").on(t.revision)],
);

export const serviceLevels = pgTable(
  "service_levels",
  {
    routeId: integer()
      .notNull()
      .references(() => routes.id, { onDelete: "cascade" }),
    level: serviceLevelName().notNull(),
    speedKnots: doublePrecision().notNull(),
    transitDays: smallint().notNull(),
  },
  (t) => [primaryKey({ columns: [t.routeId, t.level] })],
);

export const baseRates = pgTable(
  "base_rates",
  {
    routeId: integer().notNull(),
    serviceLevel: serviceLevelName().notNull(),
    /** ISO 6346 size and type code (22G1 …) for containers; empty for other cargo. */
    equipmentType: text().notNull(),
    /** per_container, per_tonne, per_lane_metre or per_freight_tonne. */
    basis: text().notNull(),
    amountCents: integer().notNull(),
    currency: text().notNull(),
    validFrom: day().notNull(),
    validTo: day(),
  },
  (t) => [
    primaryKey({ columns: [t.routeId, t.serviceLevel, t.equipmentType, t.validFrom] }),
    foreignKey({
      columns: [t.routeId, t.serviceLevel],
      foreignColumns: [serviceLevels.routeId, serviceLevels.level],
    }).onDelete("cascade"),
  ],
);

export const surcharges = pgTable(
  "surcharges",
  {
    routeId: integer()
      .notNull()
      .references(() => routes.id, { onDelete: "cascade" }),
    /** BAF, LSS, CAF, OTHC, DTHC, ISPS, PSS, GRI, WRS, CGS, SCS, PCS … */
    code: text().notNull(),
    name: text().notNull(),
    amountCents: integer().notNull(),
    currency: text().notNull(),
    /** The exchange rate that was applied: one unit of `currency` in US dollars, which base rates are in. */
    exchangeRate: numeric(),
    exchangeRateAsOf: day(),
    exchangeRateSource: text(),
    basis: text().notNull(),
    mandatory: boolean().notNull(),
    validFrom: day().notNull(),
    validTo: day(),
  },
  (t) => [
    primaryKey({ columns: [t.routeId, t.code, t.validFrom] }),
    check("surcharges_exchange_rate_positive", sql`${t.exchangeRate} > 0`),
    check(
      "surcharges_exchange_rate",
      sql`num_nonnulls(${t.exchangeRate}, ${t.exchangeRateAsOf}, ${t.exchangeRateSource}) = case when ${t.currency} = 'USD' then 0 else 3 end`,
    ),
  ],
);

export const periods = pgTable(
  "periods",
  {
    id: id(),
    code: text().notNull().unique(),
    routeId: integer()
      .notNull()
      .references(() => routes.id, { onDelete: "cascade" }),
    name: text().notNull(),
    startsOn: day().notNull(),
    /** Exclusive. Null: the period is open. */
    endsOn: day(),
    freshness: freshness().notNull(),
    successorPeriodId: integer().references((): AnyPgColumn => periods.id),
    /** Null: on sale while it is open. The subscribers of a retired period still read it. */
    retiredAt: instant(),
    /** When operators were last notified of late data. */
    latenessAnnouncedAt: instant(),
  },
  (t) => [
    index("periods_route_id_idx").on(t.routeId, t.startsOn),
    uniqueIndex("periods_route_start_freshness_key")
      .on(t.routeId, t.startsOn, t.freshness)
      .where(sql`${t.retiredAt} is null`),
    check("periods_order", sql`${t.endsOn} > ${t.startsOn}`),
  ],
);

/**
 * Prices that operators set in place of the calculated ones. They belong to a route's data of one freshness, like the
 * calculated price, so they outlive the period. The constraint `price_overrides_no_overlap` allows one on each day.
 */
export const priceOverrides = pgTable(
  "price_overrides",
  {
    id: id(),
    routeId: integer()
      .notNull()
      .references(() => routes.id, { onDelete: "cascade" }),
    freshness: freshness().notNull(),
    kind: priceOverrideKind().notNull(),
    /** A freeze has the price of the moment in which it was set. */
    monthlyCents: integer().notNull(),
    /** For operators only. */
    reason: text().notNull(),
    validFrom: day().notNull(),
    /** Exclusive. Null: until it is released. */
    validTo: day(),
    /** Null: set by command on the machine. */
    operatorAccountId: integer().references(() => accounts.id, { onDelete: "set null" }),
    createdAt: instant().notNull(),
    /** When it was released or replaced before its time. It has no effect since then. */
    endedAt: instant(),
  },
  (t) => [
    index("price_overrides_route_id_idx").on(t.routeId, t.freshness),
    check("price_overrides_positive", sql`${t.monthlyCents} > 0`),
    check("price_overrides_order", sql`${t.validTo} > ${t.validFrom}`),
  ],
);

/** The prices of each period on sale, with their factors. A row holds until the next one of the same period. */
export const periodPrices = pgTable(
  "period_prices",
  {
    id: bigId(),
    periodId: integer()
      .notNull()
      .references(() => periods.id, { onDelete: "cascade" }),
    validFrom: instant().notNull(),
    basePriceCents: integer().notNull(),
    freshnessPercent: smallint().notNull(),
    popularityPercent: smallint().notNull(),
    /** Null: the price is the product of the factors. */
    overrideKind: priceOverrideKind(),
    monthlyCents: integer().notNull(),
    reason: priceChangeReason().notNull(),
  },
  (t) => [unique("period_prices_period_id_valid_from").on(t.periodId, t.validFrom)],
);

export const reports = pgTable(
  "reports",
  {
    id: bigId(),
    periodId: integer()
      .notNull()
      .references(() => periods.id, { onDelete: "cascade" }),
    type: reportType().notNull(),
    observedAt: instant().notNull(),
    serviceLevel: serviceLevelName().notNull(),
    /** ISO 6346 size and type code (45G1 …) of a container rate. Empty for everything else. */
    equipmentType: text().notNull().default(""),
    vessel: text(),
    voyage: text(),
    etd: instant(),
    eta: instant(),
    transitDays: doublePrecision(),
    basis: rateBasis(),
    /** Of the base rate and of the surcharges' total. */
    currency: text(),
    /** Per unit of `basis`, like the surcharges. */
    baseRateCents: integer(),
    /** Null: not reported, or reported as a total only. */
    surcharges: jsonb().$type<ReportedSurcharge[]>(),
    /** The total, in `currency`. */
    surchargesCents: integer(),
    availableCapacity: integer(),
    capacityUnit: capacityUnit(),
    bookingStatus: bookingStatus(),
    onTimePercent: doublePrecision(),
    meanDelayDays: doublePrecision(),
    /** The operator's own reference for an imported report. */
    externalId: text(),
  },
  (t) => [
    unique("reports_observation_key").on(t.periodId, t.observedAt, t.type, t.serviceLevel, t.equipmentType),
    check("reports_available_capacity", sql`${t.availableCapacity} >= 0`),
    check(
      "reports_rate_unit",
      sql`coalesce(${t.baseRateCents}, ${t.surchargesCents}) is null or (${t.basis} is not null and ${t.currency} is not null)`,
    ),
    check("reports_capacity_unit", sql`${t.availableCapacity} is null or ${t.capacityUnit} is not null`),
  ],
);

/** One unit of `base` is `rate` units of `quote`. Converts surcharges into the currency of their base rate. */
export const exchangeRates = pgTable(
  "exchange_rates",
  {
    base: text().notNull(),
    quote: text().notNull(),
    asOf: day().notNull(),
    rate: numeric().notNull(),
    /** The publisher of the rate, such as ECB. */
    source: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.base, t.quote, t.asOf] }),
    check("exchange_rates_positive", sql`${t.rate} > 0 and ${t.rate} < 1000000000`),
    check("exchange_rates_pair", sql`${t.base} <> ${t.quote}`),
  ],
);
