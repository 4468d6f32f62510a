/** The range of departures that a request asks for. */
import { addDays, type Day, dayOf, daysBetween } from "../dates.ts";
import { invalid } from "../errors.ts";
import { longestWindowDays } from "./policy.ts";
import type { DepartureBound } from "./sailing.ts";

/**
 * From today and for 90 days, unless asked otherwise.
 *
 * @throws invalid for a range that is longer, or ends before it begins
 */
export const departureWindow = (
  { from, to }: { from?: DepartureBound | undefined; to?: DepartureBound | undefined },
  today: Day,
): { from: DepartureBound; to: DepartureBound } => {
  const start = from ?? (to === undefined || dayIn(to) >= today ? { day: today } : { day: dayIn(to) });
  const end = to ?? { day: addDays(dayIn(start), longestWindowDays) };
  const days = daysBetween(dayIn(start), dayIn(end));
  if (days < 0 || isReversed(start, end)) throw invalid("departure_to", "Must not be before departure_from");
  if (days > longestWindowDays)
    throw invalid("departure_to", `Must be at most ${longestWindowDays} days after departure_from`);
  return { from: start, to: end };
};

const dayIn = (bound: DepartureBound): Day => ("day" in bound ? bound.day : dayOf(bound.instant));

const isReversed = (from: DepartureBound, to: DepartureBound): boolean =>
  "instant" in from && "instant" in to && from.instant > to.instant;
