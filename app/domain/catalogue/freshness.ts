/** How old a period's data may be, and whether it is late. @spec What the service does (prices) */
import { type Day, dayOf, startOf } from "../dates.ts";
import { isOpen } from "./period.ts";
import type { Freshness } from "./route.ts";

/**
 * The maximum age of data, in minutes. A trade lane may promise less.
 *
 * @spec What the service does (real-time schedule updates)
 */
export const maxAgeMinutes = {
  real_time: 60,
  daily: 24 * 60,
  weekly: 7 * 24 * 60,
} as const satisfies Record<Freshness, number>;

export type DataAge = {
  /** The latest observation. Null: there is none yet. */
  dataAsOf: Date | null;
  /** When the next observation is due at the latest. Null: the period has ended, or not begun. */
  nextUpdateDue: Date | null;
  /** Whether the next observation is late. */
  isStale: boolean;
};

type Observed = { startsOn: Day; endsOn: Day | null; dataAsOf: Date | null; maxAgeMinutes: number };

/** A period without observations is due from its first day on. */
export const dataAge = ({ dataAsOf, maxAgeMinutes, ...period }: Observed, now: Date): DataAge => {
  if (!isOpen(period, dayOf(now))) return { dataAsOf, nextUpdateDue: null, isStale: false };
  const nextUpdateDue = new Date((dataAsOf ?? startOf(period.startsOn)).getTime() + maxAgeMinutes * 60_000);
  return { dataAsOf, nextUpdateDue, isStale: nextUpdateDue < now };
};
