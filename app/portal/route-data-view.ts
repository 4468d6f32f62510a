/** A route's data for subscribers: tables and chart series. */

import type { Report } from "../domain/catalogue/report.ts";
import { capacityUnit } from "../domain/catalogue/route.ts";
import { mandatorySurchargesCents } from "../domain/catalogue/surcharges.ts";
import { addDays, type Day } from "../domain/dates.ts";
import type { RouteData } from "../domain/subscriptions/route-access.server.ts";
import { reportView } from "./report-view.ts";

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
  departures: record.departures.map((departsOn) => ({
    departsOn,
    arrivals: record.levels.map(({ level, transitDays }) => ({ level, on: addDays(departsOn, transitDays) })),
  })),
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
  sailings: sailingsOf(reports.rows).map((report) => reportView(report, record)),
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

const sailingsShown = 6;

/** The vessels in the latest reports, each once, with its latest report. */
const sailingsOf = (reports: Report[]): Report[] => {
  const byVoyage = new Map<string, Report>();
  for (const report of reports) {
    const key = `${report.vessel} ${report.etd?.toISOString()}`;
    if (report.etd && report.vessel && !byVoyage.get(key)?.eta) byVoyage.set(key, report);
  }
  return [...byVoyage.values()]
    .sort((a, b) => (b.etd?.getTime() ?? 0) - (a.etd?.getTime() ?? 0))
    .slice(0, sailingsShown);
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
