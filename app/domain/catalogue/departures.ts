/** When a service sails next, from its weekdays and its frequency. */
import { addDays, type Day, daysBetween } from "../dates.ts";
import { hashOf } from "./text-hash.ts";

/** A Monday long ago: the beat of services that sail less than weekly is counted from here. */
const epoch: Day = "2024-01-01";

/** The phase of a route's services, from its code: the same in every database. */
export const sailingPhase = (routeCode: string): number => hashOf(routeCode) >>> 0;

/**
 * @param weekdays ISO, 1 = Monday
 * @param sailingsPerWeek below 1: every 1/n-th week only
 * @param phase spreads services of the same beat over the weeks; any integer, such as the route's id
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
