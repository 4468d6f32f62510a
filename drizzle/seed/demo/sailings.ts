/** The load and punctuality of the demo's sailings. Invented and deterministic. */

import type { BookingStatus } from "#app/domain/catalogue/route.ts";
import type { Day } from "#app/domain/dates.ts";
import { noiseAt, seededRandom } from "#app/domain/schedules/demo/seeded-random.ts";
import {
  sailingsFrom,
  type Timetable,
  type TimetableSailing,
  timetableOf,
} from "#app/domain/schedules/demo/timetable.ts";
import { weekAt } from "#app/domain/schedules/demo/weeks.ts";
import { observedAt } from "./calendar.ts";
import type { DemoRoute } from "./market.ts";

/** What all sailings of a route share. */
export type DemoService = Timetable & {
  route: DemoRoute;
  capacityNominal: number;
  /** The usual share of the capacity that is booked. */
  usualLoad: number;
  /** The usual share of vessels that arrive on time. */
  usualPunctuality: number;
};

export const demoServiceOf = (route: DemoRoute): DemoService => {
  const random = seededRandom(`service ${route.code}`);
  const timetable = timetableOf(route, random);
  const load = { container: 0.85, bulk: 0.84, ro_ro: 0.83, break_bulk: 0.74 }[route.cargoType];
  return {
    ...timetable,
    route,
    capacityNominal: capacityOf(route, random),
    usualLoad: (route.lane.haul === "back_haul" ? load - 0.16 : load) + (random() - 0.5) * 0.14,
    usualPunctuality: 0.52 + seededRandom(`carrier ${route.carrier.code}`)() * 0.26 + (random() - 0.5) * 0.12,
  };
};

/** A sailing with its load. One that is cancelled has no vessel. */
export type DemoSailing = {
  etd: Date;
  vessel: string | null;
  voyage: string | null;
  available: number;
  bookingStatus: BookingStatus;
};

/** The first sailing after 06:00 UTC on a day. */
export const nextSailing = (service: DemoService, day: Day): DemoSailing => {
  const after = Date.parse(observedAt(day));
  for (const sailing of sailingsFrom(service, day)) {
    if (sailing.etd.getTime() > after) return loaded(service, sailing);
  }
  throw new RangeError(`${service.route.code} has no sailing after ${day}`);
};

/** The month's on-time share in percent, and its mean delay. */
export const punctualityIn = (
  service: DemoService,
  month: number,
): { onTimePercent: number; meanDelayDays: number } => {
  const winter = Math.cos(((month % 12) / 12) * 2 * Math.PI);
  const chance = noiseAt(service.seed ^ 0x0f71, month) - 0.5;
  const share = Math.min(0.97, Math.max(0.22, service.usualPunctuality - winter * 0.05 + chance * 0.18));
  const daysWhenLate = 1 + service.transitDays / 14;
  return { onTimePercent: roundTo(share * 100, 0.5), meanDelayDays: roundTo((1 - share) * daysWhenLate, 0.1) };
};

/** The transit time of a voyage in a month. */
export const transitDaysIn = (service: DemoService, month: number): number => {
  const { meanDelayDays } = punctualityIn(service, month);
  const luck = noiseAt(service.seed ^ 0x51de, month);
  return roundTo(service.transitDays + meanDelayDays * (luck * 2.4 - 0.5), 0.1);
};

const limitedShare = 0.15;

const loaded = ({ seed, capacityNominal, usualLoad }: DemoService, sailing: TimetableSailing): DemoSailing => {
  const { etd, index, voyage, vessel } = sailing;
  if (vessel === null) return { etd, vessel: null, voyage: null, available: 0, bookingStatus: "closed" };
  const season = Math.sin((weekAt(etd.getTime()) / 52.18) * 2 * Math.PI - 2.2) * 0.05;
  const load = usualLoad + season + (noiseAt(seed ^ 0x10ad, index) - 0.5) * 0.24;
  const step = capacityNominal >= 10_000 ? 100 : 5;
  const free = load >= 0.985 ? 0 : roundTo(capacityNominal * (1 - Math.max(0.3, load)), step);
  return {
    etd,
    vessel: vessel.name,
    voyage,
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

const roundTo = (value: number, step: number): number => Number((Math.round(value / step) * step).toFixed(2));
