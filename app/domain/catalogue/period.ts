/** A time-based data segment of one route. @spec What the service does (hierarchy) */
import type { Day } from "../dates.ts";
import type { Freshness } from "./route.ts";

export type Period = {
  id: number;
  code: string;
  routeId: number;
  name: string;
  startsOn: Day;
  /** Exclusive. Null: open. */
  endsOn: Day | null;
  freshness: Freshness;
  successorPeriodId: number | null;
  /** Null: on sale while it is open. */
  retiredAt: Date | null;
};

/** Whether a period has started and not ended. */
export const isOpen = (period: Pick<Period, "startsOn" | "endsOn">, today: Day): boolean =>
  period.startsOn <= today && !hasEnded(period, today);

export const hasEnded = (period: Pick<Period, "endsOn">, today: Day): boolean =>
  period.endsOn !== null && period.endsOn <= today;

/** The period with which a subscription continues: the next open successor, or the last period if there is none. */
export const runningPeriod = <P extends Period>(periods: P[], periodId: number, today: Day): P | null => {
  const byId = new Map(periods.map((period) => [period.id, period]));
  let period = byId.get(periodId);
  // Visits each period once, so that a cycle ends.
  while (period && hasEnded(period, today) && period.successorPeriodId !== null && byId.delete(period.id)) {
    period = byId.get(period.successorPeriodId);
  }
  return period ?? null;
};

/** What opens the periods of a route: subscriptions to these periods, or the route being a sample. */
export type OpenedBy = number[] | "sample";

/** Subscriptions open the current period of each, and the route's history. A sample is open as a whole. */
export const openedPeriods = (periods: Period[], openedBy: OpenedBy, today: Day): Period[] => {
  if (openedBy === "sample") return periods;
  const running = new Set(openedBy.map((id) => runningPeriod(periods, id, today)?.id));
  return periods.filter((period) => running.has(period.id) || hasEnded(period, today));
};
