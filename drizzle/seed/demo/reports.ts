/**
 * Thirteen months of invented reports for a demo route: rates that drift with season and lane, capacity of the next
 * sailing, voyages, punctuality. The latest rate equals the route's current one.
 */

import type { ImportedReport } from "#app/domain/catalogue/import-records.ts";
import { type CargoType, capacityUnit, rateBasis } from "#app/domain/catalogue/route.ts";
import { mandatorySurchargesOn } from "#app/domain/catalogue/surcharges.ts";
import { hashOf } from "#app/domain/catalogue/text-hash.ts";
import { type Day, isoInstant } from "#app/domain/dates.ts";
import { noiseAt } from "#app/domain/schedules/demo/seeded-random.ts";
import { publishedLevel, sailsInWeek } from "#app/domain/schedules/demo/timetable.ts";
import { type DemoCalendar, observedAt, quarterAt } from "./calendar.ts";
import { type DemoRoute, demoBaseRates, demoSurcharges, reportedEquipment, roundRate } from "./market.ts";
import { type DemoService, demoServiceOf, nextSailing, punctualityIn, transitDaysIn } from "./sailings.ts";

export const demoReports = (route: DemoRoute, calendar: DemoCalendar): ImportedReport[] => {
  const service = demoServiceOf(route);
  const level = publishedLevel(route)?.level ?? "standard";
  const observation = (type: ImportedReport["type"], day: Day): Observation => ({
    periodCode: `${route.code}/${quarterAt(calendar, day)?.code}`,
    type,
    observedAt: observedAt(day),
    serviceLevel: level,
  });
  const ratesIn = ratesOf(route, calendar);
  return [
    ...calendar.weeks.flatMap(({ index, monday }) => ratesIn(index, observation("rate", monday))),
    ...weeksWithSailing(service, calendar).map(({ monday }) =>
      capacityOn(service, monday, observation("capacity", monday)),
    ),
    ...calendar.months.flatMap((day) => [
      voyageAfter(service, day, observation("schedule", day)),
      // Covers the month before.
      { ...observation("performance", day), ...punctualityIn(service, monthNumber(day) - 1) },
    ]),
  ];
};

/** What all reports state. Not spread into the many: that would take half of the time. */
type Observation = Pick<ImportedReport, "periodCode" | "type" | "observedAt" | "serviceLevel">;

/** How many reports `demoReports` returns, without generating them. */
export const demoReportCount = (route: DemoRoute, calendar: DemoCalendar): number =>
  calendar.weeks.length * reportedEquipment(route.cargoType).length +
  weeksWithSailing(demoServiceOf(route), calendar).length +
  2 * calendar.months.length;

/** A service that sails less than weekly reports capacity only in weeks with a sailing. */
const weeksWithSailing = (service: DemoService, { weeks }: DemoCalendar) =>
  weeks.filter(({ index }) => sailsInWeek(service, index));

const capacityOn = (
  service: DemoService,
  day: Day,
  { periodCode, type, observedAt, serviceLevel }: Observation,
): ImportedReport => {
  const { etd, vessel, voyage, available, bookingStatus } = nextSailing(service, day);
  const report: ImportedReport = {
    periodCode,
    type,
    observedAt,
    serviceLevel,
    etd: isoInstant(etd),
    availableCapacity: available,
    capacityUnit: capacityUnit[service.route.cargoType],
    bookingStatus,
  };
  return withVoyage(report, vessel, voyage);
};

const voyageAfter = (service: DemoService, day: Day, observation: Observation): ImportedReport => {
  const { etd, vessel, voyage } = nextSailing(service, day);
  const transitDays = transitDaysIn(service, monthNumber(day));
  const eta = new Date(etd.getTime() + Math.round(transitDays * 24) * 3_600_000);
  return withVoyage({ ...observation, etd: isoInstant(etd), eta: isoInstant(eta), transitDays }, vessel, voyage);
};

/** A cancelled sailing has neither vessel nor voyage. */
const withVoyage = (report: ImportedReport, vessel: string | null, voyage: string | null): ImportedReport => {
  if (vessel !== null && voyage !== null) Object.assign(report, { vessel, voyage });
  return report;
};

// ── Rates ───────────────────────────────────────────────────────────────────────────────────────────

/** The amplitude of rate changes, as logarithms: by season, by lane, and of the route itself. */
const swings: Record<CargoType, { season: number; lane: number; own: number }> = {
  container: { season: 0.06, lane: 0.2, own: 0.07 },
  bulk: { season: 0.07, lane: 0.26, own: 0.08 },
  ro_ro: { season: 0.02, lane: 0.07, own: 0.03 },
  break_bulk: { season: 0.02, lane: 0.08, own: 0.04 },
};

/** The week of peak demand, ahead of the autumn sales. */
const peakWeek = 33;
const bunkerSwing = 0.16;

const ratesOf = (route: DemoRoute, calendar: DemoCalendar) => {
  const { cargoType, lane } = route;
  const laneSeed = hashOf(`market ${lane.code} ${cargoType}`);
  const ownSeed = hashOf(`market ${route.code}`);
  const bunkerSeed = hashOf("bunker prices");
  const swing = swings[cargoType];
  const calm = lane.haul === "back_haul" ? 0.6 : 1;
  const market = (week: number) =>
    swing.season * Math.cos(((week - peakWeek) / 52.18) * 2 * Math.PI) +
    calm * swing.lane * drift(laneSeed, week, 12) +
    swing.own * drift(ownSeed, week, 5) +
    0.02 * (noiseAt(ownSeed, week) - 0.5);
  const bunker = (week: number) => Math.exp(bunkerSwing * drift(bunkerSeed, week, 13));

  const level = publishedLevel(route)?.level;
  const equipment = reportedEquipment(cargoType);
  const surcharges = demoSurcharges(route, calendar);
  const current = demoBaseRates(route, calendar.today)
    .filter(({ serviceLevel, equipmentType }) => serviceLevel === level && equipment.includes(equipmentType))
    .map((rate) => ({ ...rate, surcharges: mandatorySurchargesOn(surcharges, rate, calendar.today) }));
  const last = calendar.weeks.at(-1)?.index ?? 0;
  const [presentMarket, presentBunker] = [market(last), bunker(last)];

  const basis = rateBasis[cargoType];
  return (week: number, { periodCode, type, observedAt, serviceLevel }: Observation): ImportedReport[] => {
    const marketChange = Math.exp(market(week) - presentMarket);
    const bunkerChange = bunker(week) / presentBunker;
    return current.map(({ equipmentType, currency, amountCents, surcharges }) => ({
      periodCode,
      type,
      observedAt,
      serviceLevel,
      equipmentType,
      basis,
      currency,
      baseRateCents: roundRate(cargoType, amountCents * marketChange),
      surcharges: surcharges.map((surcharge) =>
        isFuel(surcharge)
          ? { code: surcharge.code, amountCents: roundRate(cargoType, surcharge.amountCents * bunkerChange) }
          : surcharge,
      ),
    }));
  };
};

const isFuel = ({ code }: { code: string }) => code === "BAF";

/** Smooth noise between -1 and 1 with a turning point every few weeks. */
const drift = (seed: number, week: number, weeksPerTurn: number): number => {
  const position = week / weeksPerTurn;
  const turn = Math.floor(position);
  const progress = position - turn;
  const ease = progress * progress * (3 - 2 * progress);
  return (noiseAt(seed, turn) * (1 - ease) + noiseAt(seed, turn + 1) * ease) * 2 - 1;
};

const monthNumber = (day: Day): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
