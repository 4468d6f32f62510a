/** The next departures of a service, from its weekdays and frequency. */
import { addDays, type Day, daysBetween } from "../dates.ts";
import { hashOf } from "./text-hash.ts";

/** A Monday. The cycle of services that sail less than weekly is counted from here. */
const epoch: Day = "2024-01-01";

/** The phase of a route's services. Derived from the code, so that it is the same in every database. */
export const sailingPhase = (routeCode: string): number => hashOf(routeCode) >>> 0;

/**
 * @param weekdays ISO, 1 = Monday
 * @param sailingsPerWeek below 1: only every 1/n weeks
 * @param phase spreads services with the same cycle over the weeks; any integer
 */
export const nextDepartures = (
  today: Day,
  { weekdays, sailingsPerWeek, phase }: { weekdays: number[]; sailingsPerWeek: number; phase: number },
  count: number,
): Day[] => {
  const everyWeeks = Math.max(1, Math.round(1 / sailingsPerWeek));
  const departures: Day[] = [];
  for (let day = today; departures.length < count && daysBetween(today, day) <= 370; day = addDays(day, 1)) {
    const sinceEpoch = daysBetween(epoch, day);
    const sailsThisWeek = (Math.floor(sinceEpoch / 7) + phase) % everyWeeks === 0;
    if (sailsThisWeek && weekdays.includes((sinceEpoch % 7) + 1)) departures.push(day);
  }
  return departures;
};
