/** A route's data for subscribers: tables and chart series. */

import { usualEquipmentType } from "../domain/catalogue/equipment.ts";
import { convertedCents } from "../domain/catalogue/exchange-rates.ts";
import { allInCents } from "../domain/catalogue/rate-report.ts";
import type { Report } from "../domain/catalogue/report.ts";
import { capacityUnit } from "../domain/catalogue/route.ts";
import type { RouteRecord } from "../domain/catalogue/route-data.server.ts";
import { mandatorySurchargesCents } from "../domain/catalogue/surcharges.ts";
import type { Day } from "../domain/dates.ts";
import { currency } from "../domain/money.ts";
import { sailingDays } from "../domain/schedules/arrivals.ts";
import { type Sailing, transhipmentPorts } from "../domain/schedules/sailing.ts";
import type { RouteData } from "../domain/subscriptions/route-access.server.ts";
import { sailingView } from "./sailing-view.ts";

export type RouteDataView = ReturnType<typeof routeDataView>;

/** @param chosen the equipment type whose rates are charted, if the route has reports of it */
export const routeDataView = ({ record, access, periods, reports }: RouteData, today: Day, chosen?: string | null) => ({
  asOf: record.row.updatedAt.toISOString(),
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
  rateHistory: rateHistoryOf(reports.rows, chosen),
  series: {
    capacity: seriesOf(reports.rows, "capacity", ({ availableCapacity }) => availableCapacity),
    onTime: seriesOf(reports.rows, "performance", ({ onTimePercent }) => onTimePercent),
  },
});

/** The route's capacity is that of the first sailing after it was observed. Others have what was last reported. */
const capacityOf = (sailing: Sailing, { row, sailings }: RouteRecord, reports: Report[]) => {
  const next = sailings.find(({ status, etd }) => status === "scheduled" && etd > row.capacityObservedAt);
  if (sailing === next) return { available: row.capacityAvailable, booking: row.bookingStatus };
  const report = reports.find(({ type, etd }) => type === "capacity" && etd?.getTime() === sailing.etd.getTime());
  return { available: report?.availableCapacity ?? null, booking: report?.bookingStatus ?? null };
};

/** The rates of one equipment type at the usual service level. Null: there are none. */
const rateHistoryOf = (reports: Report[], chosen?: string | null) => {
  const rates = reports.filter(({ type, baseRateCents }) => type === "rate" && baseRateCents !== null);
  const equipmentTypes = [...new Set(rates.map(({ equipmentType }) => equipmentType))].sort();
  const equipmentType = [chosen, usualEquipmentType].find((code) => code && equipmentTypes.includes(code));
  const ofType = rates.filter((rate) => rate.equipmentType === (equipmentType ?? equipmentTypes[0]));
  const usual = ofType.find(({ serviceLevel }) => serviceLevel === "standard") ?? ofType[0];
  if (!usual?.basis || !usual.currency) return null;
  const points = ofType.filter(
    ({ serviceLevel, currency }) => serviceLevel === usual.serviceLevel && currency === usual.currency,
  );
  const allIn = seriesOf(points, "rate", allInCents);
  return {
    equipmentTypes,
    equipmentType: usual.equipmentType,
    serviceLevel: usual.serviceLevel,
    basis: usual.basis,
    currency: usual.currency,
    base: seriesOf(points, "rate", ({ baseRateCents }) => baseRateCents),
    /** Null: some surcharges were not reported. */
    allIn: allIn.length === points.length ? allIn : null,
  };
};

type Series = { at: string; value: number }[];

/** Oldest first, without points that have no value. */
const seriesOf = (reports: Report[], type: Report["type"], figureOf: (report: Report) => number | null): Series =>
  reports
    .filter((report) => report.type === type)
    .flatMap((report) => {
      const value = figureOf(report);
      return value === null ? [] : [{ at: report.observedAt.toISOString(), value }];
    })
    .reverse();
