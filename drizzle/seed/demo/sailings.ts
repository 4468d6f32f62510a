/** The sailings of the demo market: timetable, load and punctuality. Invented and deterministic. */

import { sailingPhase } from "#app/domain/catalogue/departures.ts";
import type { BookingStatus } from "#app/domain/catalogue/route.ts";
import { hashOf } from "#app/domain/catalogue/text-hash.ts";
import { addDays, type Day, dayOf, startOf } from "#app/domain/dates.ts";
import { noiseAt, seededRandom } from "../seeded-random.ts";
import { mondayOf, observedAt, weekOf } from "./calendar.ts";
import type { DemoRoute } from "./market.ts";

/** What all sailings of a route share. */
export type DemoService = {
  route: DemoRoute;
  seed: number;
  /** ISO, 1 = Monday. */
  weekdays: number[];
  /** UTC. */
  departureHour: number;
  everyWeeks: number;
  phase: number;
  capacityNominal: number;
  /** The usual share of the capacity that is booked. */
  usualLoad: number;
  /** The usual share of vessels that arrive on time. */
  usualPunctuality: number;
};

export const demoServiceOf = (route: DemoRoute): DemoService => {
  const random = seededRandom(`service ${route.code}`);
  const firstDay = 1 + Math.floor(random() * 7);
  const load = { container: 0.85, bulk: 0.84, ro_ro: 0.83, break_bulk: 0.74 }[route.cargoType];
  return {
    route,
    seed: hashOf(route.code),
    weekdays: route.sailingsPerWeek > 1 ? [firstDay, ((firstDay + 2) % 7) + 1].sort((a, b) => a - b) : [firstDay],
    departureHour: 8 + Math.floor(random() * 14),
    everyWeeks: Math.max(1, Math.round(1 / route.sailingsPerWeek)),
    phase: sailingPhase(route.code),
    capacityNominal: capacityOf(route, random),
    usualLoad: (route.lane.haul === "back_haul" ? load - 0.16 : load) + (random() - 0.5) * 0.14,
    usualPunctuality: 0.52 + seededRandom(`carrier ${route.carrier.code}`)() * 0.26 + (random() - 0.5) * 0.12,
  };
};

/** A scheduled sailing. One that is cancelled has no vessel. */
export type DemoSailing = {
  etd: Date;
  vessel: string | null;
  voyage: string | null;
  available: number;
  bookingStatus: BookingStatus;
};

/** Whether a service sails in a week. */
export const sailsInWeek = ({ everyWeeks, phase }: DemoService, weekIndex: number): boolean =>
  (weekIndex - beatStart + phase) % everyWeeks === 0;

/** The first sailing after 06:00 UTC on a day. */
export const nextSailing = (service: DemoService, day: Day): DemoSailing => {
  const after = Date.parse(observedAt(day));
  for (let week = weekOf(day); ; week++) {
    if (!sailsInWeek(service, week)) continue;
    for (const weekday of service.weekdays) {
      const etd = new Date(startOf(addDays(mondayOf(week), weekday - 1)).getTime() + service.departureHour * 3_600_000);
      if (etd.getTime() > after) return sailingOn(service, week, etd);
    }
  }
};

/** The month's on-time share in percent, and its mean delay. */
export const punctualityIn = (
  service: DemoService,
  month: number,
): { onTimePercent: number; meanDelayDays: number } => {
  const winter = Math.cos(((month % 12) / 12) * 2 * Math.PI);
  const chance = noiseAt(service.seed ^ 0x0f71, month) - 0.5;
  const share = Math.min(0.97, Math.max(0.22, service.usualPunctuality - winter * 0.05 + chance * 0.18));
  const daysWhenLate = 1 + plannedTransitDays(service.route) / 14;
  return { onTimePercent: roundTo(share * 100, 0.5), meanDelayDays: roundTo((1 - share) * daysWhenLate, 0.1) };
};

/** The transit time of a voyage in a month. */
export const transitDaysIn = (service: DemoService, month: number): number => {
  const { meanDelayDays } = punctualityIn(service, month);
  const luck = noiseAt(service.seed ^ 0x51de, month);
  return roundTo(plannedTransitDays(service.route) + meanDelayDays * (luck * 2.4 - 0.5), 0.1);
};

export const reportedLevel = ({ serviceLevels }: DemoRoute) =>
  serviceLevels.find(({ level }) => level === "standard") ?? serviceLevels[0];

const plannedTransitDays = (route: DemoRoute) => reportedLevel(route)?.transitDays ?? 1;

/** The week from which `departures.ts` counts the cycle of services that sail less than weekly. */
const beatStart = weekOf("2024-01-01");

const cancelledShare = 0.025;
const limitedShare = 0.15;

const sailingOn = (service: DemoService, week: number, etd: Date): DemoSailing => {
  const { route, seed, capacityNominal } = service;
  const voyageNumber = week * 8 + etd.getUTCDay();
  if (noiseAt(seed ^ 0xb1a4, voyageNumber) < cancelledShare) {
    return { etd, vessel: null, voyage: null, available: 0, bookingStatus: "closed" };
  }
  const season = Math.sin((week / 52.18) * 2 * Math.PI - 2.2) * 0.05;
  const load = service.usualLoad + season + (noiseAt(seed ^ 0x10ad, voyageNumber) - 0.5) * 0.24;
  const step = capacityNominal >= 10_000 ? 100 : 5;
  const free = load >= 0.985 ? 0 : roundTo(capacityNominal * (1 - Math.max(0.3, load)), step);
  return {
    etd,
    vessel: vesselName(service, week, etd),
    voyage: voyageReference(route, etd),
    available: free,
    bookingStatus: free === 0 ? "full" : free <= capacityNominal * limitedShare ? "limited" : "open",
  };
};

const capacityOf = (route: DemoRoute, random: () => number): number => {
  const hubs = [route.origin, route.destination].filter(({ tier }) => tier === 1).length;
  const deepSea = route.distanceNm > 2500;
  switch (route.cargoType) {
    case "container": {
      const [from, to] = route.distanceNm > 6000 ? [1800, 4200] : deepSea ? [1000, 2800] : [300, 1400];
      return roundTo((from + random() * (to - from)) * (0.6 + hubs * 0.2), 50);
    }
    case "bulk":
      // Handysize, supramax, panamax, capesize.
      return [36_000, 58_000, 82_000, 178_000, 178_000][Math.floor(random() * (deepSea ? 3 + hubs : 2.6))] ?? 58_000;
    case "ro_ro":
      return deepSea ? roundTo(18_000 + random() * 14_000, 500) : roundTo(1800 + random() * 2600, 100);
    case "break_bulk":
      return roundTo(8000 + random() * 10_000, 500);
  }
};

const vesselWords = [
  "Aurora", "Meridian", "Horizon", "Tempest", "Harmony", "Voyager", "Zephyr", "Beacon", "Pioneer", "Solstice",
  "Endeavour", "Lantern", "Compass", "Halcyon", "Monsoon", "Equinox", "Cascade", "Sentinel", "Juniper", "Saffron",
  "Cobalt", "Larkspur", "Marigold", "Osprey", "Petrel", "Plover", "Sandpiper", "Tern",
]; // biome-ignore format: one word a line helps nobody

/** A fictional name: `Pelorin Aurora`. The fleet is as large as a round trip needs, and its vessels take turns. */
const vesselName = ({ route, weekdays, everyWeeks }: DemoService, week: number, etd: Date): string => {
  const roundTripWeeks = (plannedTransitDays(route) * 2 + daysInPorts) / 7;
  const ships = Math.min(vesselWords.length, Math.ceil((roundTripWeeks / everyWeeks) * weekdays.length));
  const isSecondOfWeek = weekdays.length > 1 && isoWeekday(etd) === weekdays[1];
  const sailing = Math.floor(week / everyWeeks) * weekdays.length + (isSecondOfWeek ? 1 : 0);
  const word = (hashOf(`fleet ${route.code}`) >>> 0) + (sailing % ships) * 5;
  return `${route.carrier.name.split(" ")[0]} ${vesselWords[word % vesselWords.length]}`;
};

const daysInPorts = 10;
const isoWeekday = (date: Date) => ((date.getUTCDay() + 6) % 7) + 1;

/** Year, ISO week and heading, such as `2646W`. */
const voyageReference = (route: DemoRoute, etd: Date): string => {
  const monday = mondayOf(weekOf(dayOf(etd)));
  const thursday = addDays(monday, 3);
  const isoWeek = weekOf(thursday) - weekOf(`${thursday.slice(0, 4)}-01-04`) + 1;
  return `${thursday.slice(2, 4)}${String(isoWeek).padStart(2, "0")}${headingOf(route)}`;
};

const headingOf = ({ origin, destination }: DemoRoute): "N" | "E" | "S" | "W" => {
  const east = ((((destination.lon - origin.lon + 180) % 360) + 360) % 360) - 180;
  const north = destination.lat - origin.lat;
  if (Math.abs(north) > Math.abs(east)) return north > 0 ? "N" : "S";
  return east > 0 ? "E" : "W";
};

const roundTo = (value: number, step: number): number => Number((Math.round(value / step) * step).toFixed(2));
