/** A time-based data segment of one route. @spec What the service does (hierarchy) */
import type { Day } from "../dates.ts";
import type { Freshness } from "./route.ts";

export type Period = {
  id: number;
  code: string;
  routeId: number;
  name: string;
  startsOn: Day;
  /** Exclusive; null: still open. */
  endsOn: Day | null;
  freshness: Freshness;
  successorPeriodId: number | null;
};

/** Begun and not ended. Open periods are on sale. */
export const isOpen = (period: Pick<Period, "startsOn" | "endsOn">, today: Day): boolean =>
  period.startsOn <= today && !hasEnded(period, today);

const hasEnded = (period: Pick<Period, "endsOn">, today: Day): boolean =>
  period.endsOn !== null && period.endsOn <= today;

/** Where a subscription to a period goes on when that has ended: the route's next open one, by succession. */
export const runningPeriod = <P extends Period>(periods: P[], periodId: number, today: Day): P | null => {
  const byId = new Map(periods.map((period) => [period.id, period]));
  let period = byId.get(periodId);
  // Each is gone past once, also where they follow each other in a circle.
  while (period && hasEnded(period, today) && period.successorPeriodId !== null && byId.delete(period.id)) {
    period = byId.get(period.successorPeriodId);
  }
  return period ?? null;
};

/** What a running subscription to `subscribed` opens: that period, and the same route's history. */
export const openedPeriods = (periods: Period[], subscribed: number[], today: Day): Period[] => {
  const running = new Set(subscribed.map((id) => runningPeriod(periods, id, today)?.id));
  return periods.filter((period) => running.has(period.id) || hasEnded(period, today));
};
