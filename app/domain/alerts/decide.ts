/**
 * Whether a new figure raises an alert. A figure is compared with the last known one, which moves only when an alert is
 * raised, so slow drifts are found and a state that lasts is reported once.
 */
import { millisecondsPerDay } from "../dates.ts";
import type { AlertFigures } from "./figures.ts";
import type { LastKnown } from "./last-known.ts";
import { recoveryPercent } from "./policy.ts";
import type { AlertKind, WatchRules } from "./watch.ts";

/** A series' newest figures, or those before a change. Null: unknown, or not of this type of report. */
export type SeriesFigures = {
  allInCents: number | null;
  currency: string | null;
  basis: string | null;
  availableCapacity: number | null;
  capacityUnit: string | null;
  bookingStatus: string | null;
};

export type Series = { serviceLevel: string; equipmentType: string };

/** `before`: the last known figures before the observation. */
export type Observation = { series: Series; before: SeriesFigures | null; after: SeriesFigures };

/** The kinds that are decided from reports, in the order of their alerts. */
export const reportKinds = [
  "rate_change",
  "all_in_below",
  "all_in_above",
  "capacity_below",
  "booking_status",
] as const satisfies readonly AlertKind[];
export type ReportKind = (typeof reportKinds)[number];

/** `next` undefined: the last known figure stays; null: it is forgotten. */
export type Decision = { alert: AlertFigures | null; next?: LastKnown | null };

const nothing: Decision = { alert: null };

/** @param lastKnown null: there is none yet */
export const decide = (
  kind: ReportKind,
  rules: WatchRules,
  lastKnown: LastKnown | null,
  observation: Observation,
): Decision => {
  switch (kind) {
    case "rate_change":
      return rateChange(rules.rateChangePercent, lastKnown, observation);
    case "all_in_below":
      return allInThreshold(kind, rules.allInBelowCents, lastKnown, observation);
    case "all_in_above":
      return allInThreshold(kind, rules.allInAboveCents, lastKnown, observation);
    case "capacity_below":
      return capacityBelow(rules.capacityBelow, lastKnown, observation);
    case "booking_status":
      return rules.bookingStatus ? bookingStatus(lastKnown, observation) : nothing;
  }
};

const rateOf = (figures: SeriesFigures | null): { cents: number; currency: string } | null =>
  figures === null || figures.allInCents === null || figures.currency === null
    ? null
    : { cents: figures.allInCents, currency: figures.currency };

const rateChange = (percent: number | null, lastKnown: LastKnown | null, { series, before, after }: Observation) => {
  const rate = rateOf(after);
  if (percent === null || rate === null) return nothing;
  const from = lastKnown !== null && "cents" in lastKnown ? lastKnown : rateOf(before);
  if (from === null || from.currency !== rate.currency || from.cents <= 0) return { alert: null, next: rate };
  if (Math.abs(rate.cents - from.cents) * 100 < percent * from.cents) return { alert: null, next: from };
  return {
    alert: {
      kind: "rate_change" as const,
      ...namesOf(series),
      basis: after.basis,
      currency: rate.currency,
      before_cents: from.cents,
      after_cents: rate.cents,
      change_percent: percentChange(from.cents, rate.cents),
    },
    next: rate,
  };
};

/** With one decimal. */
export const percentChange = (before: number, after: number): number =>
  Math.round(((after - before) / before) * 1000) / 10;

/** What the thresholds are in. A rate in another currency is not compared. */
export const thresholdCurrency = "USD";

/** The kinds that compare a figure with a threshold. */
export const thresholdKinds = [
  "all_in_below",
  "all_in_above",
  "capacity_below",
] as const satisfies readonly AlertKind[];
type ThresholdKind = (typeof thresholdKinds)[number];

const thresholdOf = (kind: ThresholdKind, rules: WatchRules): number | null =>
  kind === "all_in_below"
    ? rules.allInBelowCents
    : kind === "all_in_above"
      ? rules.allInAboveCents
      : rules.capacityBelow;

const isBeyond = (kind: ThresholdKind, value: number, threshold: number): boolean =>
  kind === "all_in_above" ? value > threshold : value < threshold;

/** Whether a figure is beyond its threshold now, so that no alert is raised before it crosses the threshold again. */
export const isAlreadyBeyond = (kind: ThresholdKind, rules: WatchRules, value: number): boolean => {
  const threshold = thresholdOf(kind, rules);
  return threshold !== null && isBeyond(kind, value, threshold);
};

const allInThreshold = (
  kind: "all_in_below" | "all_in_above",
  threshold: number | null,
  lastKnown: LastKnown | null,
  { series, before, after }: Observation,
): Decision => {
  const rate = rateOf(after);
  if (threshold === null || rate === null || rate.currency !== thresholdCurrency) return nothing;
  const earlier = rateOf(before);
  const margin = (threshold * recoveryPercent.allIn) / 100;
  const wasBeyond = earlier?.currency === rate.currency && isBeyond(kind, earlier.cents, threshold);
  const recovered = kind === "all_in_below" ? rate.cents >= threshold + margin : rate.cents <= threshold - margin;
  const alert = {
    kind,
    ...namesOf(series),
    basis: after.basis,
    currency: rate.currency,
    all_in_cents: rate.cents,
    threshold_cents: threshold,
  };
  return onCrossing(lastKnown, { wasBeyond, beyond: isBeyond(kind, rate.cents, threshold), recovered }, alert);
};

const capacityBelow = (
  threshold: number | null,
  lastKnown: LastKnown | null,
  { before, after: { availableCapacity, capacityUnit } }: Observation,
): Decision => {
  if (threshold === null || availableCapacity === null) return nothing;
  const earlier = before?.availableCapacity ?? null;
  const wasBeyond = earlier !== null && isBeyond("capacity_below", earlier, threshold);
  const beyond = isBeyond("capacity_below", availableCapacity, threshold);
  const recovered = availableCapacity * 100 >= threshold * (100 + recoveryPercent.capacity);
  return onCrossing(
    lastKnown,
    { wasBeyond, beyond, recovered },
    {
      kind: "capacity_below",
      available_capacity: availableCapacity,
      threshold,
      capacity_unit: capacityUnit ?? "",
    },
  );
};

/** An alert when the figure crosses the threshold, and no other until it has recovered. */
const onCrossing = (
  lastKnown: LastKnown | null,
  { wasBeyond, beyond, recovered }: { wasBeyond: boolean; beyond: boolean; recovered: boolean },
  alert: AlertFigures,
): Decision => {
  if (lastKnown !== null) return recovered ? { alert: null, next: null } : nothing;
  return beyond ? { alert: wasBeyond ? null : alert, next: { raised: true } } : nothing;
};

const bookingStatus = (lastKnown: LastKnown | null, { before, after }: Observation): Decision => {
  const status = after.bookingStatus;
  if (status === null) return nothing;
  const from = lastKnown !== null && "status" in lastKnown ? lastKnown.status : (before?.bookingStatus ?? null);
  const alert =
    from === null || from === status ? null : ({ kind: "booking_status", before: from, after: status } as const);
  return { alert, next: { status } };
};

const namesOf = ({ serviceLevel, equipmentType }: Series) => ({
  service_level: serviceLevel,
  equipment_type: equipmentType,
});

export type SailingTimes = { etd: Date; eta: Date; cancelled: boolean };

/**
 * By how many whole days a sailing has moved since it was first seen: the departure or the arrival, whichever more.
 * "withdrawn" if it was cancelled meanwhile.
 */
export const slipOf = (first: SailingTimes, now: SailingTimes): number | "withdrawn" => {
  if (now.cancelled && !first.cancelled) return "withdrawn";
  const days = (a: Date, b: Date) => Math.floor(Math.abs(a.getTime() - b.getTime()) / millisecondsPerDay);
  return Math.max(days(first.etd, now.etd), days(first.eta, now.eta));
};
