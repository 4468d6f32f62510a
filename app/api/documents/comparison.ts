/** Compared routes as JSON documents. */
import { isoPortTime } from "../../domain/catalogue/port-time.ts";
import { capacityUnit } from "../../domain/catalogue/route.ts";
import { type ComparedRoute, comparedFields } from "../../domain/comparison/compare.ts";
import type { ComparedRate } from "../../domain/comparison/compared-rate.ts";
import { isoInstant } from "../../domain/dates.ts";
import { portDocument, priceFromDocument, surchargeDocuments } from "./catalogue.ts";

export const comparedRouteDocument = ({ route, access, data }: ComparedRoute) => ({
  id: route.id,
  code: route.code,
  name: route.name,
  carrier: route.carrier,
  cargo_type: route.cargoType,
  trade_lane: route.tradeLane,
  origin_port: portDocument(route.origin),
  destination_port: portDocument(route.destination),
  service_levels: route.serviceLevels,
  indicative_transit_days: route.transitDays,
  departures_per_week: route.sailingsPerWeek,
  is_sample: route.isSample,
  locked: data === null,
  access_reason: access.reason,
  price_from: priceFromDocument(route.priceFrom),
  subscription_adds: data === null ? [...comparedFields] : [],
  rates: data?.rates.map(rateDocument) ?? null,
  transit: data?.transit.map(({ level, transitDays }) => ({ service_level: level, transit_days: transitDays })) ?? null,
  next_departure: data?.nextDeparture
    ? {
        etd: isoPortTime(data.nextDeparture.etd, route.origin.timezone),
        voyage: data.nextDeparture.voyage,
        vessel: data.nextDeparture.legs[0].vessel,
      }
    : null,
  on_time_percent: data?.onTimePercent ?? null,
  capacity: data?.capacity
    ? {
        unit: capacityUnit[route.cargoType],
        nominal: data.capacity.nominal,
        available: data.capacity.available,
        booking_status: data.capacity.bookingStatus,
        observed_at: isoInstant(data.capacity.observedAt),
      }
    : null,
});

const rateDocument = (rate: ComparedRate) => ({
  service_level: rate.serviceLevel,
  equipment_type: rate.equipmentType || null,
  basis: rate.basis,
  currency: rate.currency,
  base_rate_cents: rate.baseRateCents,
  surcharges: surchargeDocuments(rate),
  surcharges_cents: rate.surchargesCents,
  all_in_cents: rate.allInCents,
  observed_at: isoInstant(rate.observedAt),
  change_4_weeks_percent: rate.change4WeeksPercent,
  market: rate.market && {
    week: rate.market.week,
    low_cents: rate.market.lowCents,
    median_cents: rate.market.medianCents,
    high_cents: rate.market.highCents,
    change_4_weeks_percent: rate.market.weeks4,
  },
  against_median_percent: rate.againstMedianPercent,
});
