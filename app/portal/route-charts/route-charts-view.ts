/** A route's observations over time, for its charts and their files. */
import { type Change, changesOver, type Observation } from "../../domain/catalogue/change-over.ts";
import { allInCents } from "../../domain/catalogue/rate-report.ts";
import type { Report } from "../../domain/catalogue/report.ts";
import type { CapacityUnit } from "../../domain/catalogue/route.ts";
import { dayOf } from "../../domain/dates.ts";
import type { RouteSeries } from "../../domain/subscriptions/route-series.server.ts";
import { type ChartChoice, firstDayOf } from "./choice.ts";

export type RouteChartsView = ReturnType<typeof routeChartsView>;

/** An observation. Series are oldest first. */
type At = { at: string; serviceLevel: string };

/** Weekly series have an observation in every week, monthly ones in every month. */
const toleranceDays = { weekly: 7, monthly: 31 };

export const routeChartsView = (
  { periods, rateKinds, rateKind, nominalCapacity, reports }: RouteSeries,
  { range, scale }: Pick<ChartChoice, "range" | "scale">,
  now: Date,
) => {
  const firstDay = firstDayOf(range, dayOf(now));
  const inRange = <Point extends At>(points: Point[]) =>
    firstDay === null ? points : points.filter(({ at }) => at >= firstDay);
  const rates = ratesOf(reports.rate);
  const capacity = pointsOf(reports.capacity, ({ availableCapacity: available, bookingStatus: booking }) =>
    available === null ? null : { available, booking },
  );
  const onTime = pointsOf(reports.performance, ({ onTimePercent: percent, meanDelayDays }) =>
    percent === null ? null : { percent, meanDelayDays },
  );
  const transit = pointsOf(reports.schedule, ({ transitDays: days }) => (days === null ? null : { days }));
  return {
    ...{ range, scale },
    periods: periods.map(({ name, startsOn, endsOn }) => ({ name, startsOn, endsOn })),
    /** When a newer observation is overdue: now. */
    lateUntil: periods.some(({ isStale }) => isStale) ? now.toISOString() : null,
    rates: rateKind &&
      rates && {
        ...rates,
        kind: rateKind,
        kinds: rateKinds,
        points: inRange(rates.points),
        ...newestOf(rates.points, comparedRateOf(rates.points), toleranceDays.weekly),
      },
    capacity: {
      unit: reports.capacity.at(-1)?.capacityUnit ?? (null as CapacityUnit | null),
      nominal: nominalCapacity,
      points: inRange(capacity),
      ...newestOf(capacity, ({ available }) => available, toleranceDays.weekly),
    },
    onTime: {
      points: inRange(onTime),
      ...newestOf(onTime, ({ percent }) => percent, toleranceDays.monthly),
    },
    transit: {
      points: inRange(transit),
      ...newestOf(transit, ({ days }) => days, toleranceDays.monthly),
    },
  };
};

/** In the basis and the currency of the newest rate. Null: there are none. */
const ratesOf = (reports: readonly Report[]) => {
  const { basis, currency } = reports.at(-1) ?? {};
  if (!basis || !currency) return null;
  const comparable = reports.filter((report) => report.basis === basis && report.currency === currency);
  const points = pointsOf(comparable, (report) =>
    report.baseRateCents === null
      ? null
      : {
          baseCents: report.baseRateCents,
          surchargesCents: report.surchargesCents,
          allInCents: allInCents(report),
        },
  );
  return points.length === 0 ? null : { basis, currency, points };
};

const pointsOf = <Figures extends object>(
  reports: readonly Report[],
  figuresOf: (report: Report) => Figures | null,
): (At & Figures)[] =>
  reports.flatMap((report) => {
    const figures = figuresOf(report);
    return figures === null
      ? []
      : [{ at: report.observedAt.toISOString(), serviceLevel: report.serviceLevel, ...figures }];
  });

type RatePoint = { baseCents: number; allInCents: number | null };

/** All-in rates are compared with all-in rates. Without surcharges in the newest report, base rates with base rates. */
const comparedRateOf = (points: readonly RatePoint[]): ((point: RatePoint) => number | null) =>
  (points.at(-1)?.allInCents ?? null) === null ? ({ baseCents }) => baseCents : ({ allInCents }) => allInCents;

const newestOf = <Point extends At>(
  points: readonly Point[],
  figureOf: (point: Point) => number | null,
  tolerance: number,
): { newest: Observation | null; changes: Change[] } => {
  const observations = points.flatMap((point) => {
    const value = figureOf(point);
    return value === null ? [] : [{ on: point.at.slice(0, 10), value }];
  });
  return { newest: observations.at(-1) ?? null, changes: changesOver(observations, tolerance) };
};
