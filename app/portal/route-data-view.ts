/** A route's data for subscribers: tables and chart series. */

import type { Report } from "../domain/catalogue/report.ts";
import { capacityUnit } from "../domain/catalogue/route.ts";
import type { RouteRecord } from "../domain/catalogue/route-data.server.ts";
import { mandatorySurchargesCents } from "../domain/catalogue/surcharges.ts";
import type { Day } from "../domain/dates.ts";
import { sailingDays } from "../domain/schedules/arrivals.ts";
import { type Sailing, transhipmentPorts } from "../domain/schedules/sailing.ts";
import type { RouteData } from "../domain/subscriptions/route-access.server.ts";
import { sailingView } from "./sailing-view.ts";

export type RouteDataView = ReturnType<typeof routeDataView>;

export const routeDataView = ({ record, access, periods, reports }: RouteData, today: Day) => ({
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
  surcharges: record.surcharges.map(({ code, name, basis, amountCents, mandatory, validFrom, validTo }) => ({
    code,
    name,
    basis,
    amountCents,
    mandatory,
    validFrom,
    validTo,
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
  series: {
    rate: seriesOf(reports.rows, "rate", ({ baseRateCents }) => baseRateCents),
    allIn: seriesOf(reports.rows, "rate", ({ baseRateCents, surchargesCents }) =>
      baseRateCents === null ? null : baseRateCents + (surchargesCents ?? 0),
    ),
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
