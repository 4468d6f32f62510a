/** A route's data for subscribers. */
import { convertedCents } from "../domain/catalogue/exchange-rates.ts";
import type { Report } from "../domain/catalogue/report.ts";
import { capacityUnit } from "../domain/catalogue/route.ts";
import type { RouteRecord } from "../domain/catalogue/route-data.server.ts";
import { mandatorySurchargesCents } from "../domain/catalogue/surcharges.ts";
import { type Day, dayOf } from "../domain/dates.ts";
import { currency } from "../domain/money.ts";
import { sailingDays } from "../domain/schedules/arrivals.ts";
import { type Sailing, transhipmentPorts } from "../domain/schedules/sailing.ts";
import type { RouteData } from "../domain/subscriptions/route-access.server.ts";
import { meaningOf } from "./components/code-meanings.ts";
import { sailingView } from "./sailing-view.ts";

export type RouteDataView = ReturnType<typeof routeDataView>;

export const routeDataView = ({ asOf, record, access, periods, reports }: RouteData, today: Day) => ({
  asOf: record.row.updatedAt.toISOString(),
  /** The day on which the data was known. Null: it is that of the present. */
  knownOn: asOf && dayOf(asOf),
  accessUntil: access.accessUntil,
  passages: record.row.passages,
  transhipments: record.row.transhipments,
  intermediateCalls: record.row.intermediateCalls,
  levels: record.levels.map(({ level, speedKnots, transitDays }) => ({ level, speedKnots, transitDays })),
  stops: record.row.waypoints
    .filter(({ name }) => name !== null)
    .map((stop) => ({
      name: stop.name ?? "",
      kind: stop.kind,
      distanceNm: stop.distanceNm,
      days: Math.round((stop.distanceNm / record.distanceNm) * (record.levels[0]?.transitDays ?? 0) * 10) / 10,
    })),
  departures: record.sailings
    .filter(({ status }) => status === "scheduled")
    .map((sailing) => ({ id: sailing.id, ...sailingDays(sailing, record) })),
  sailings: record.sailings.map((sailing) => ({
    ...sailingView(sailing),
    capacity: capacityOf(sailing, record, reports.rows),
  })),
  transhipmentPorts: (record.sailings[0] ? transhipmentPorts(record.sailings[0]) : []).map(({ port }) => port),
  rates: record.rates
    .filter(({ validFrom, validTo }) => validFrom <= today && (validTo === null || today <= validTo))
    .map(({ serviceLevel, equipmentType, basis, amountCents }) => {
      const surchargesCents = mandatorySurchargesCents(record.surcharges, { basis, equipmentType }, today);
      return {
        serviceLevel,
        equipmentType,
        basis,
        amountCents,
        surchargesCents,
        allInCents: amountCents + surchargesCents,
      };
    }),
  surcharges: record.surcharges.map((surcharge) => ({
    code: surcharge.code,
    meaning: meaningOf(surcharge.code),
    name: surcharge.name,
    basis: surcharge.basis,
    amountCents: surcharge.amountCents,
    currency: surcharge.currency,
    /** Null: the amount is in the currency of base rates. */
    converted: surcharge.exchangeRate
      ? { ...surcharge.exchangeRate, amountCents: convertedCents(surcharge, currency) }
      : null,
    mandatory: surcharge.mandatory,
    validFrom: surcharge.validFrom,
    validTo: surcharge.validTo,
  })),
  periods: periods.map(({ id, name, startsOn, endsOn, freshness, dataAsOf, nextUpdateDue, isStale, opened }) => ({
    id,
    name,
    startsOn,
    endsOn,
    freshness,
    dataAsOf: dataAsOf?.toISOString() ?? null,
    nextUpdateDue: nextUpdateDue?.toISOString() ?? null,
    isStale,
    opened,
  })),
  capacity: {
    unit: capacityUnit[record.cargoType],
    nominal: record.row.capacityNominal,
    available: record.row.capacityAvailable,
    status: record.row.bookingStatus,
    observedAt: record.row.capacityObservedAt.toISOString(),
  },
});

/** The route's capacity is that of the first sailing after it was observed. Others have what was last reported. */
const capacityOf = (sailing: Sailing, { row, sailings }: RouteRecord, reports: Report[]) => {
  const next = sailings.find(({ status, etd }) => status === "scheduled" && etd > row.capacityObservedAt);
  if (sailing === next) return { available: row.capacityAvailable, booking: row.bookingStatus };
  const report = reports.find(({ type, etd }) => type === "capacity" && etd?.getTime() === sailing.etd.getTime());
  return { available: report?.availableCapacity ?? null, booking: report?.bookingStatus ?? null };
};
