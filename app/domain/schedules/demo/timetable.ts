/** The timetable of a demo route: when its services sail, with which vessels. Invented and deterministic. */
import type { CargoType, ServiceLevelName } from "../../catalogue/route.ts";
import { hashOf } from "../../catalogue/text-hash.ts";
import { type Day, millisecondsPerDay, startOf } from "../../dates.ts";
import { type Vessel, vesselOf } from "./fleet.ts";
import { noiseAt, seededRandom } from "./seeded-random.ts";
import { weekAt, weekOf, weekStartMs } from "./weeks.ts";

type Position = { lat: number; lon: number };

/** What the timetable is made from. */
export type TimetableRoute = {
  code: string;
  carrier: { code: string; name: string };
  cargoType: CargoType;
  origin: Position;
  destination: Position;
  sailingsPerWeek: number;
  serviceLevels: readonly { level: ServiceLevelName; transitDays: number }[];
};

export type Timetable = {
  route: TimetableRoute;
  seed: number;
  /** ISO, 1 = Monday, in UTC. One for each service of the route. */
  weekdays: number[];
  /** UTC. */
  departureHour: number;
  everyWeeks: number;
  /** Spreads services that sail less than weekly over the weeks. */
  phase: number;
  /** From port to port. */
  transitDays: number;
};

/** @param random the route's numbers, of which the timetable takes the first two */
export const timetableOf = (
  route: TimetableRoute,
  random: () => number = seededRandom(`service ${route.code}`),
): Timetable => {
  const firstDay = 1 + Math.floor(random() * 7);
  return {
    route,
    seed: hashOf(route.code),
    weekdays: route.sailingsPerWeek > 1 ? [firstDay, ((firstDay + 2) % 7) + 1].sort((a, b) => a - b) : [firstDay],
    departureHour: 8 + Math.floor(random() * 14),
    everyWeeks: Math.max(1, Math.round(1 / route.sailingsPerWeek)),
    phase: hashOf(route.code) >>> 0,
    transitDays: publishedLevel(route)?.transitDays ?? 1,
  };
};

/** The service level at which all sailings of a demo route are published. */
export const publishedLevel = <Level extends { level: ServiceLevelName }>({
  serviceLevels,
}: {
  serviceLevels: readonly Level[];
}): Level | undefined => serviceLevels.find(({ level }) => level === "standard") ?? serviceLevels[0];

/** Whether a route sails in a week. */
export const sailsInWeek = ({ everyWeeks, phase }: Timetable, weekIndex: number): boolean =>
  (weekIndex - cycleStart + phase) % everyWeeks === 0;

/** The week from which the cycle of services that sail less than weekly is counted. */
const cycleStart = weekOf("2024-01-01");

export type TimetableSailing = {
  etd: Date;
  /** Counts the sailings of a weekday. */
  index: number;
  /** Of the route's services, the one that sails. */
  service: number;
  /** Year, ISO week and heading, such as `2646W`. */
  voyage: string;
  /** Null: the sailing is cancelled. */
  vessel: Vessel | null;
};

/** From a day on, in order of departure. Endless. */
export function* sailingsFrom(timetable: Timetable, day: Day): Generator<TimetableSailing> {
  const firstMs = startOf(day).getTime();
  for (let week = weekAt(firstMs); ; week++) {
    if (!sailsInWeek(timetable, week)) continue;
    for (const [service, weekday] of timetable.weekdays.entries()) {
      const dayMs = weekStartMs(week) + (weekday - 1) * millisecondsPerDay;
      if (dayMs < firstMs) continue;
      const etd = new Date(dayMs + timetable.departureHour * 3_600_000);
      const index = week * 8 + etd.getUTCDay();
      const isCancelled = noiseAt(timetable.seed ^ 0xb1a4, index) < cancelledShare;
      yield {
        etd,
        index,
        service,
        voyage: voyageNumber(timetable.route.origin, timetable.route.destination, etd),
        vessel: isCancelled ? null : vesselAt(timetable, week, service),
      };
    }
  }
}

const cancelledShare = 0.025;

/** The vessels take turns, and there are as many as a round trip needs. */
const vesselAt = ({ route, weekdays, everyWeeks, transitDays }: Timetable, week: number, service: number): Vessel => {
  const roundTripWeeks = (transitDays * 2 + daysInPorts) / 7;
  const vessels = Math.ceil((roundTripWeeks / everyWeeks) * weekdays.length);
  const sailing = Math.floor(week / everyWeeks) * weekdays.length + service;
  return vesselOf(route.carrier, route.cargoType, (hashOf(`fleet ${route.code}`) >>> 0) + (sailing % vessels) * 5);
};

const daysInPorts = 10;

export const voyageNumber = (from: Position, to: Position, etd: Date): string => {
  const week = weekAt(etd.getTime());
  // A week belongs to the year of its Thursday, and 4 January to the first week.
  const year = new Date(weekStartMs(week) + 3 * millisecondsPerDay).getUTCFullYear();
  const isoWeek = week - weekAt(Date.UTC(year, 0, 4)) + 1;
  return `${String(year).slice(2)}${String(isoWeek).padStart(2, "0")}${headingOf(from, to)}`;
};

const headingOf = (from: Position, to: Position): "N" | "E" | "S" | "W" => {
  const east = ((((to.lon - from.lon + 180) % 360) + 360) % 360) - 180;
  const north = to.lat - from.lat;
  if (Math.abs(north) > Math.abs(east)) return north > 0 ? "N" : "S";
  return east > 0 ? "E" : "W";
};
