/** The charts of a route's page. */
import { equipmentName } from "../../domain/catalogue/equipment.ts";
import type { BookingStatus } from "../../domain/catalogue/route.ts";
import type { ChartModel } from "../components/charts/chart-model.ts";
import { downsample } from "../components/charts/downsample.ts";
import { timeAxis } from "../components/charts/time-axis.ts";
import {
  formatBasis,
  formatDays,
  formatMoney,
  formatNumber,
  formatRoundMoney,
  formatShare,
  formatWord,
} from "../format.ts";
import type { RouteChartsView } from "./route-charts-view.ts";

export const chartNames = ["rates", "capacity", "on-time", "transit"] as const;
export type ChartName = (typeof chartNames)[number];

/** A line needs two points. */
const fewestPoints = 2;

/** More cannot be told apart on a screen. */
export const mostPoints = 400;

/** Null: there is nothing to draw. */
export const chartModel = (name: ChartName, view: RouteChartsView): ChartModel | null =>
  view[viewKeys[name]] && (view[viewKeys[name]]?.points.length ?? 0) >= fewestPoints ? builders[name](view) : null;

const viewKeys = { rates: "rates", capacity: "capacity", "on-time": "onTime", transit: "transit" } as const;

/** `Standard, 40′ high cube (45G1), USD per container`. */
export const ratesInWords = ({ kind, currency, basis }: NonNullable<RouteChartsView["rates"]>): string =>
  [
    formatWord(kind.serviceLevel),
    kind.equipmentType && equipmentName(kind.equipmentType),
    `${currency} ${formatBasis(basis)}`,
  ]
    .filter(Boolean)
    .join(", ");

const rateOf = (point: { allInCents: number | null; baseCents: number }) => point.allInCents ?? point.baseCents;

const rates = ({ rates: found, scale, ...view }: RouteChartsView): ChartModel | null => {
  if (!found) return null;
  const points = thinned(found.points, ({ baseCents }) => baseCents, rateOf);
  const zoomed = scale === "zoomed";
  const hasSurcharges = points.some(({ surchargesCents }) => surchargesCents !== null);
  const base = { label: "Base rate", values: points.map(({ baseCents }) => baseCents), colour: 1 } as const;
  const surcharges = { label: "Surcharges", values: points.map(({ surchargesCents }) => surchargesCents) };
  const allIn = {
    label: "All-in",
    values: points.map((point) => point.allInCents),
    mark: "line",
    colour: "ink",
  } as const;
  return {
    title: "Freight rate",
    description: `Base rate${hasSurcharges ? ", mandatory surcharges and all-in rate" : ""} over time: ${ratesInWords(found)}.`,
    ...axisOf(points, view),
    unit: `${found.currency} ${formatBasis(found.basis)}`,
    baseline: zoomed ? "zoomed" : "zero",
    series: [
      { ...base, mark: zoomed ? "line" : "area" },
      ...(hasSurcharges && !zoomed ? [{ ...surcharges, mark: "area", colour: 2 } as const] : []),
      ...(hasSurcharges ? [allIn] : []),
    ],
    format: (cents) => formatMoney(cents, found.currency),
    formatAxis: (cents) => formatRoundMoney(cents, found.currency),
  };
};

const capacity = ({ capacity: { points: all, unit, nominal }, ...view }: RouteChartsView): ChartModel => {
  const points = thinned(all, ({ available }) => available);
  const inUnit = unit === null ? "" : formatWord(unit);
  return {
    title: "Space available per sailing",
    description: `Space available per sailing in ${inUnit}, of ${formatNumber(nominal)} nominal today, and the booking status.`,
    ...axisOf(points, view),
    unit: inUnit,
    series: [
      { label: "Available", values: points.map(({ available }) => available), mark: "area", colour: 1 },
      { label: "Nominal today", values: points.map(() => nominal), mark: "line", colour: "ink", isReference: true },
    ],
    states: {
      label: "Booking status",
      values: points.map(({ booking }) => booking && { text: formatWord(booking), level: tightness[booking] }),
    },
    format: formatNumber,
  };
};

const tightness = { open: 0.25, limited: 0.6, full: 1, closed: 1 } as const satisfies Record<BookingStatus, number>;

const onTime = ({ onTime: { points: all }, ...view }: RouteChartsView): ChartModel => {
  const points = thinned(all, ({ percent }) => percent);
  return {
    title: "On-time performance",
    description: "Share of sailings that arrived on time, monthly.",
    ...axisOf(points, view),
    unit: "Sailings on time",
    axisReaches: 100,
    series: [{ label: "On time", values: points.map(({ percent }) => percent), mark: "area", colour: 1 }],
    format: formatPercent,
  };
};

export const formatPercent = (percent: number): string => formatShare(percent / 100);

const transit = ({ transit: { points: all }, ...view }: RouteChartsView): ChartModel => {
  const points = thinned(all, ({ days }) => days);
  return {
    title: "Transit time",
    description: "Scheduled days from port to port, monthly.",
    ...axisOf(points, view),
    unit: "Days, port to port",
    baseline: "zoomed",
    series: [{ label: "Transit", values: points.map(({ days }) => days), mark: "line", colour: 1 }],
    format: formatDays,
    formatAxis: formatNumber,
  };
};

const builders = { rates, capacity, "on-time": onTime, transit } as const satisfies Record<
  ChartName,
  (view: RouteChartsView) => ChartModel | null
>;

const axisOf = (points: readonly { at: string }[], view: Pick<RouteChartsView, "periods" | "lateUntil">) => ({
  ...timeAxis(
    points.map(({ at }) => at),
    view,
  ),
  labelHeader: "Observed",
  atRest: "newest" as const,
});

const thinned = <Point>(points: readonly Point[], ...figures: ((point: Point) => number)[]): Point[] =>
  downsample(
    figures.map((figureOf) => points.map(figureOf)),
    mostPoints,
  ).flatMap((i) => points[i] ?? []);
