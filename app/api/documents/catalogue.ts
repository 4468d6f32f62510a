/** Routes and their data as JSON documents. */
import type { PortSummary, RouteSummary } from "../../domain/catalogue/browse.ts";
import { type Convertible, convertedCents } from "../../domain/catalogue/exchange-rates.ts";
import type { DataAge } from "../../domain/catalogue/freshness.ts";
import type { Period } from "../../domain/catalogue/period.ts";
import { isoPortTime } from "../../domain/catalogue/port-time.ts";
import { freshnessPercent } from "../../domain/catalogue/priced-period.ts";
import { allInCents } from "../../domain/catalogue/rate-report.ts";
import { type Report, reportCode, reportName } from "../../domain/catalogue/report.ts";
import { capacityUnit } from "../../domain/catalogue/route.ts";
import type { RouteRecord } from "../../domain/catalogue/route-data.server.ts";
import { routeLine } from "../../domain/catalogue/route-line.ts";
import { type FacetName, type Facets, facetNames } from "../../domain/catalogue/search.ts";
import { utilizationPercent } from "../../domain/catalogue/utilization.ts";
import type { Waypoint } from "../../domain/catalogue/waypoint.ts";
import { isoInstant } from "../../domain/dates.ts";
import type { ReportRow } from "../../domain/exports/report-row.ts";
import { currency } from "../../domain/money.ts";
import { monthlyPriceCents } from "../../domain/pricing/quote.ts";
import { sailingDays } from "../../domain/schedules/arrivals.ts";
import { type Sailing, transhipmentPorts } from "../../domain/schedules/sailing.ts";
import type { Access } from "../../domain/subscriptions/access.ts";
import type { RouteData, RouteForAccount } from "../../domain/subscriptions/route-access.server.ts";

export const routeDocument = (route: RouteForAccount) => ({
  ...publicDocument(route),
  service_levels: route.serviceLevels,
  indicative_transit_days: route.transitDays,
  has_access: route.hasAccess,
  price_from: priceFromDocument(route.priceFrom),
});

type FacetValueDocument = { code: string; name: string; route_count: number };

export const facetsDocument = (facets: Facets) =>
  Object.fromEntries(
    facetNames.map((facet) => [
      facet,
      facets[facet].map(({ code, name, routes }) => ({ code, name, route_count: routes })),
    ]),
  ) as Record<FacetName, FacetValueDocument[]>;

export const priceFromDocument = (price: RouteForAccount["priceFrom"]) =>
  price && {
    period_id: price.periodId,
    list_cents: price.listCents,
    volume_discount_percent: price.volumeDiscountPercent,
    total_cents: price.totalCents,
    currency,
    needs_quote: price.needsQuote,
  };

export const routeDataDocument = ({ asOf, record, access, periods, reports }: RouteData) => ({
  as_of: asOf && isoInstant(asOf),
  ...publicDocument(record),
  passages: record.row.passages,
  transhipment_count: record.row.transhipments,
  transhipment_ports: (record.sailings[0] ? transhipmentPorts(record.sailings[0]) : []).map(({ unlocode, port }) => ({
    unlocode,
    name: port,
  })),
  intermediate_port_calls: record.row.intermediateCalls,
  waypoints: waypointDocuments(record),
  geometry: {
    type: "MultiLineString" as const,
    coordinates: routeLine(record.origin, record.row.waypoints, record.destination),
  },
  alternatives: record.alternatives.map(({ via, passages, nauticalMiles, extraNauticalMiles, extraDays }) => ({
    via,
    passages,
    distance_nm: nauticalMiles,
    extra_distance_nm: extraNauticalMiles,
    extra_days: extraDays,
  })),
  departures: record.sailings
    .filter(({ status }) => status === "scheduled")
    .flatMap((sailing) => departureDocuments(sailing, record)),
  service_levels: record.levels.map(({ level, speedKnots, transitDays }) => ({
    service_level: level,
    speed_knots: speedKnots,
    transit_days: transitDays,
    base_rates: record.rates
      .filter((rate) => rate.serviceLevel === level)
      .map((rate) => ({
        equipment_type: rate.equipmentType || null,
        basis: rate.basis,
        amount_cents: rate.amountCents,
        currency: rate.currency,
        valid_from: rate.validFrom,
        valid_to: rate.validTo,
      })),
  })),
  surcharges: record.surcharges.map((surcharge) => ({
    code: surcharge.code,
    name: surcharge.name,
    amount_cents: surcharge.amountCents,
    currency: surcharge.currency,
    basis: surcharge.basis,
    converted: convertedDocument(surcharge, currency),
    mandatory: surcharge.mandatory,
    valid_from: surcharge.validFrom,
    valid_to: surcharge.validTo,
  })),
  capacity: {
    unit: capacityUnit[record.cargoType],
    nominal: record.row.capacityNominal,
    available: record.row.capacityAvailable,
    utilization_percent: utilizationPercent(record.row.capacityNominal, record.row.capacityAvailable),
    booking_status: record.row.bookingStatus,
    observed_at: isoInstant(record.row.capacityObservedAt),
  },
  access: { reason: access.reason, access_until: access.accessUntil },
  all_periods: periods.map((period) => ({ ...periodDocument(period), has_access: period.opened })),
  updated_at: isoInstant(record.row.updatedAt),
  reports: reports.rows.map(reportDocument),
  next_cursor: reports.nextCursor,
});

export const accessDocument = (access: Access & { routeId: number }) => ({
  route_id: access.routeId,
  has_access: access.hasAccess,
  reason: access.reason,
  access_until: access.accessUntil,
});

const publicDocument = (route: RouteSummary) => ({
  id: route.id,
  code: route.code,
  name: route.name,
  cargo_type: route.cargoType,
  carrier: route.carrier,
  region: route.region,
  trade_lane: route.tradeLane,
  route_group: route.routeGroup,
  origin_port: portDocument(route.origin),
  destination_port: portDocument(route.destination),
  distance_nm: route.distanceNm,
  sailings_per_week: route.sailingsPerWeek,
  is_sample: route.isSample,
  periods: route.periods.map(periodOnSaleDocument),
});

export const portDocument = (port: PortSummary) => ({
  unlocode: port.unlocode,
  alternate_unlocodes: port.altUnlocodes,
  name: port.name,
  country_code: port.countryCode,
  country: port.country,
  location: { lat: port.lat, lon: port.lon },
  timezone: port.timezone,
});

const periodDocument = (period: Period & DataAge) => ({
  id: period.id,
  period_id: period.id,
  code: period.code,
  name: period.name,
  starts_on: period.startsOn,
  ends_on: period.endsOn,
  successor_period_id: period.successorPeriodId,
  freshness: period.freshness,
  ...ageDocument(period),
});

const periodOnSaleDocument = (period: RouteSummary["periods"][number]) => ({
  ...periodDocument(period),
  monthly_cents: monthlyPriceCents(period),
  currency,
  price_set_by_operator: period.overrideCents !== null,
  price_factors: {
    base_cents: period.basePriceCents,
    freshness_percent: freshnessPercent[period.freshness],
    popularity_percent: period.popularityPercent,
  },
});

const ageDocument = ({ dataAsOf, nextUpdateDue, isStale }: DataAge) => ({
  data_as_of: dataAsOf && isoInstant(dataAsOf),
  next_update_due: nextUpdateDue && isoInstant(nextUpdateDue),
  is_stale: isStale,
});

/** A sailing at each service level. */
const departureDocuments = (sailing: Sailing, record: RouteRecord) => {
  const { departsOn, arrivals } = sailingDays(sailing, record);
  return arrivals.map(({ level, on }) => ({
    departs_on: departsOn,
    arrives_on: on,
    service_level: level,
    service_code: sailing.serviceCode,
    voyage: sailing.voyage,
    vessel: sailing.legs[0].vessel,
    etd: isoPortTime(sailing.etd, record.origin.timezone),
  }));
};

/** The named waypoints, with the passage time at the first service level's speed. */
const waypointDocuments = (record: RouteRecord) => {
  const days = record.levels[0]?.transitDays ?? 0;
  return record.row.waypoints
    .filter((waypoint): waypoint is Waypoint & { name: string } => waypoint.name !== null)
    .map((waypoint, index) => ({
      sequence_number: index + 1,
      name: waypoint.name,
      type: waypoint.kind,
      location: { lat: waypoint.lat, lon: waypoint.lon },
      distance_from_origin_nm: waypoint.distanceNm,
      days_from_departure: Math.round((waypoint.distanceNm / record.distanceNm) * days * 10) / 10,
    }));
};

export const reportDocument = (report: Report) => ({
  id: report.id,
  code: reportCode(report),
  name: reportName(report),
  period_id: report.periodId,
  report_type: report.type,
  observed_at: isoInstant(report.observedAt),
  departure:
    report.vessel || report.voyage || report.etd || report.eta
      ? {
          vessel: report.vessel,
          voyage: report.voyage,
          etd: report.etd && isoInstant(report.etd),
          eta: report.eta && isoInstant(report.eta),
        }
      : null,
  service_level: report.serviceLevel,
  transit_days: report.transitDays,
  equipment_type: report.equipmentType || null,
  basis: report.basis,
  currency: report.currency,
  base_rate_cents: report.baseRateCents,
  surcharges: surchargeDocuments(report),
  surcharges_cents: report.surchargesCents,
  all_in_cents: allInCents(report),
  available_capacity: report.availableCapacity,
  capacity_unit: report.capacityUnit,
  booking_status: report.bookingStatus,
  on_time_percent: report.onTimePercent,
  mean_delay_days: report.meanDelayDays,
});

export const reportRowDocument = ({ route, cursor, ...report }: ReportRow) => ({
  route_id: route.id,
  route_code: route.code,
  route_name: route.name,
  trade_lane: route.tradeLaneCode,
  carrier: route.carrierCode,
  origin: route.origin,
  destination: route.destination,
  ...reportDocument(report),
  cursor,
});

export const surchargeDocuments = ({
  surcharges,
  basis,
  currency,
}: Pick<Report, "surcharges" | "basis" | "currency">) =>
  surcharges === null || basis === null || currency === null
    ? null
    : surcharges.map((surcharge) => ({
        code: surcharge.code,
        amount_cents: surcharge.amountCents,
        currency: surcharge.currency ?? currency,
        basis,
        converted: convertedDocument(surcharge, currency),
      }));

/** Null: the amount is in this currency already. */
const convertedDocument = (amount: Convertible, currency: string) =>
  amount.exchangeRate
    ? {
        amount_cents: convertedCents(amount, currency),
        currency,
        rate: amount.exchangeRate.rate,
        as_of: amount.exchangeRate.asOf,
        source: amount.exchangeRate.source,
      }
    : null;
