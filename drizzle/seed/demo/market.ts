/**
 * An invented market for the demo routes: rates, surcharges, capacity and periods. Deterministic for each day. Amounts
 * are in US cents.
 */

import type { ImportedRoute } from "#app/domain/catalogue/import-records.ts";
import {
  type CargoType,
  type Freshness,
  type Haul,
  rateBasis,
  type ServiceLevelName,
} from "#app/domain/catalogue/route.ts";
import type { Surcharge } from "#app/domain/catalogue/surcharges.ts";
import type { Waypoint } from "#app/domain/catalogue/waypoint.ts";
import { addDays, type Day } from "#app/domain/dates.ts";
import { seededRandom } from "#app/domain/schedules/demo/seeded-random.ts";
import type { DemoCalendar } from "./calendar.ts";
import { demoServiceOf, nextSailing } from "./sailings.ts";

export type DemoPort = {
  unlocode: string;
  name: string;
  countryCode: string;
  regionCode: string;
  lat: number;
  lon: number;
  tier: number;
};

export type DemoRoute = {
  code: string;
  lane: { code: string; haul: Haul };
  routeGroupCode: string;
  carrier: { code: string; name: string };
  cargoType: CargoType;
  origin: DemoPort;
  destination: DemoPort;
  distanceNm: number;
  /** Every canal and strait on the way, in order. */
  passages: string[];
  waypoints: Waypoint[];
  transhipments: number;
  intermediateCalls: number;
  sailingsPerWeek: number;
  serviceLevels: { level: ServiceLevelName; speedKnots: number; transitDays: number }[];
  /** USD at the standard level, per FEU, tonne, car or freight tonne. */
  base: number;
};

/** A demo route as an import record. */
export const demoRouteRecord = (route: DemoRoute, calendar: DemoCalendar): ImportedRoute => {
  const service = demoServiceOf(route);
  const { lastObserved, freshness } = demoFreshness(route, calendar);
  const next = nextSailing(service, calendar.weeks.at(-1)?.monday ?? calendar.today);
  return {
    code: route.code,
    name: `${route.origin.name} – ${route.destination.name}`,
    routeGroupCode: route.routeGroupCode,
    carrierCode: route.carrier.code,
    cargoType: route.cargoType,
    originPort: route.origin.unlocode,
    destinationPort: route.destination.unlocode,
    distanceNm: route.distanceNm,
    passages: route.passages,
    transhipments: route.transhipments,
    intermediateCalls: route.intermediateCalls,
    sailingsPerWeek: route.sailingsPerWeek,
    departureWeekdays: service.weekdays,
    waypoints: route.waypoints,
    capacityNominal: service.capacityNominal,
    capacityAvailable: next.available,
    bookingStatus: next.bookingStatus,
    capacityObservedAt: lastObserved,
    // The minimum, as there are no subscriptions yet. The nightly job recomputes it.
    popularityPercent: 80,
    serviceLevels: route.serviceLevels,
    baseRates: demoBaseRates(route, calendar.today),
    surcharges: demoSurcharges(route, calendar),
    periods: periodsOf(route, calendar, freshness),
  };
};

/**
 * The price of a month of weekly data for one route of a lane, 1900 to 9900 cents. Rises with distance, between
 * continents, and on head hauls.
 */
export const laneBasePriceCents = (lane: {
  haul: Haul;
  sameRegion: boolean;
  sameGeography: boolean;
  medianDistanceNm: number;
}): number => {
  const reach = lane.sameRegion ? 1900 : lane.sameGeography ? 2900 : 3900;
  const length = Math.min(1, lane.medianDistanceNm / 13_000) * (lane.sameRegion ? 2000 : 6000);
  const price = (reach + length) * (lane.haul === "back_haul" ? 0.7 : 1);
  return Math.min(9900, Math.max(1900, Math.round((price + 100) / 500) * 500 - 100));
};

/** A standard rate for each equipment type, and proportional rates for the other levels. */
export const demoBaseRates = (route: DemoRoute, today: Day): ImportedRoute["baseRates"] => {
  const basis = rateBasis[route.cargoType];
  return route.serviceLevels.flatMap(({ level }) =>
    Object.entries(perBase[route.cargoType]).map(([equipmentType, ratio]) => ({
      serviceLevel: level,
      equipmentType,
      basis,
      amountCents: roundRate(route.cargoType, route.base * 100 * ratio * levelFactor[level]),
      currency: "USD" as const,
      validFrom: `${today.slice(0, 7)}-01`,
      validTo: null,
    })),
  );
};

/** The equipment whose rates are reported: 20′ dry, 40′ high cube and 40′ reefer. */
export const reportedEquipment = (cargoType: CargoType): string[] =>
  cargoType === "container" ? ["22G1", "45G1", "45R1"] : [""];

/** Rounds container rates to 5 dollars, lane metres to half a dollar, tonnes to the cent. */
export const roundRate = (cargoType: CargoType, cents: number): number => {
  const step = rateSteps[cargoType];
  return Math.max(step, Math.round(cents / step) * step);
};

const rateSteps: Record<CargoType, number> = { container: 500, ro_ro: 50, bulk: 1, break_bulk: 5 };

const metresPerCar = 4.6;

/** How rates follow from the base in `routes.jsonl`: a ratio for each equipment type. */
const perBase: Record<CargoType, Record<string, number>> = {
  container: { "22G1": 0.55, "42G1": 0.98, "45G1": 1, "45R1": 1.9 },
  bulk: { "": 1 },
  ro_ro: { "": 1 / metresPerCar },
  break_bulk: { "": 1 },
};

const levelFactor: Record<ServiceLevelName, number> = { express: 1.15, standard: 1, economy: 0.85 };

// ── Surcharges ──────────────────────────────────────────────────────────────────────────────────────

type Priced = Pick<Surcharge, "code" | "name" | "basis"> & { usd: number };

/** The usual surcharges for the cargo type, the canals passed and the coasts called at. */
export const demoSurcharges = (route: DemoRoute, calendar: DemoCalendar): ImportedRoute["surcharges"] => {
  const validFrom = calendar.quarters.at(-1)?.startsOn ?? calendar.today;
  const lasting = (route.cargoType === "container" ? containerSurcharges : otherSurcharges)(route).map(
    ({ usd, ...surcharge }) => ({ ...inUsd(surcharge, usd), mandatory: true, validFrom, validTo: null }),
  );
  return [...lasting, ...seasonalSurcharges(route, calendar.today), ...optionalSurcharges(route, validFrom)];
};

const containerSurcharges = (route: DemoRoute): Priced[] => {
  const { origin, destination, distanceNm } = route;
  const random = seededRandom(`surcharges ${route.code}`);
  const both = [origin, destination];
  return [
    { code: "BAF", name: "Bunker Adjustment Factor", basis: "per_teu", usd: roundTo(25 + distanceNm * 0.027, 5) },
    { code: "OTHC", name: "Terminal Handling Charge – Origin", basis: "per_container", usd: terminalHandling(origin) },
    {
      code: "DTHC",
      name: "Terminal Handling Charge – Destination",
      basis: "per_container",
      usd: terminalHandling(destination),
    },
    {
      code: "ISPS",
      name: "International Ship and Port Facility Security charge",
      basis: "per_container",
      usd: 12 + Math.floor(random() * 7),
    },
    { code: "DOC", name: "Documentation fee", basis: "per_bl", usd: 45 + Math.floor(random() * 6) * 5 },
    ...onPassages(route, "per_teu", { suez: 25, panama: 55, war: 40 }),
    ...(both.some(inEmissionArea) ? [{ ...lowSulphur, basis: "per_teu", usd: 15 + Math.floor(random() * 4) * 5 }] : []),
    ...(both.some(inEuropeanUnion)
      ? [{ ...emissionsTrading, basis: "per_teu", usd: roundTo((8 + distanceNm * 0.0035) * euShare(both), 1) }]
      : []),
    ...(isCongested(destination)
      ? [
          {
            code: "CGS",
            name: "Port Congestion Surcharge",
            basis: "per_container",
            usd: 75 + Math.floor(random() * 4) * 25,
          },
        ]
      : []),
  ];
};

const otherSurcharges = (route: DemoRoute): Priced[] => {
  const basis = rateBasis[route.cargoType];
  const nm = route.distanceNm;
  const [bunker, passages] = {
    bulk: [roundTo(0.15 + nm * 0.00027, 0.05), { suez: 0.65, panama: 1.4, war: 0.45 }],
    ro_ro: [roundTo(1 + nm * 0.00075, 0.5), { suez: 3.5, panama: 7, war: 4.5 }],
    break_bulk: [roundTo(1 + nm * 0.0011, 0.25), { suez: 1.25, panama: 2.5, war: 1.75 }],
    container: [0, { suez: 0, panama: 0, war: 0 }],
  }[route.cargoType] as [number, PassagePrices];
  const ends = [route.origin, route.destination];
  return [
    { code: "BAF", name: "Bunker Adjustment Factor", basis, usd: bunker },
    ...onPassages(route, basis, passages),
    ...(route.cargoType === "ro_ro" && ends.some(inEmissionArea) ? [{ ...lowSulphur, basis, usd: 1.5 }] : []),
  ];
};

type PassagePrices = { suez: number; panama: number; war: number };

const onPassages = ({ passages }: DemoRoute, basis: string, prices: PassagePrices): Priced[] =>
  [
    { code: "SCS", name: "Suez Canal Surcharge", basis, usd: prices.suez, passage: "Suez Canal" },
    { code: "PCS", name: "Panama Canal Surcharge", basis, usd: prices.panama, passage: "Panama Canal" },
    { code: "WRS", name: "War Risk Surcharge", basis, usd: prices.war, passage: "Bab-el-Mandeb" },
  ]
    .filter(({ passage }) => passages.includes(passage))
    .map(({ passage: _, ...surcharge }) => surcharge);

const lowSulphur = { code: "LSS", name: "Low Sulphur Surcharge" };
const emissionsTrading = { code: "ETS", name: "EU Emissions Trading System surcharge" };

/** Peak season surcharge: long container hauls out of Asia, in summer and before the Lunar New Year. */
const seasonalSurcharges = (route: DemoRoute, today: Day): ImportedRoute["surcharges"] => {
  const fromAsia = ["EAS", "SEA", "SAS"].includes(route.origin.regionCode);
  if (route.cargoType !== "container" || route.lane.haul !== "head_haul" || !fromAsia || route.distanceNm < 5000)
    return [];
  const year = Number(today.slice(0, 4));
  const seasons = [
    { validFrom: `${year - 1}-12-15`, validTo: `${year}-01-31` },
    { validFrom: `${year}-07-01`, validTo: `${year}-09-30` },
    { validFrom: `${year}-12-15`, validTo: `${year + 1}-01-31` },
  ];
  const season = seasons.find(({ validTo }) => today <= validTo);
  const usd = 150 + Math.floor(seededRandom(`season ${route.lane.code}`)() * 5) * 50;
  const surcharge = inUsd({ code: "PSS", name: "Peak Season Surcharge", basis: "per_container" }, usd);
  return season === undefined ? [] : [{ ...surcharge, mandatory: false, ...season }];
};

const optionalSurcharges = ({ cargoType }: DemoRoute, validFrom: Day): ImportedRoute["surcharges"] => {
  const offered: Record<CargoType, Priced[]> = {
    container: [],
    bulk: [{ code: "DEM", name: "Demurrage (laytime exceeded)", basis: "per_day", usd: 22_000 }],
    ro_ro: [{ code: "HH", name: "High and heavy surcharge", basis: "per_lane_metre", usd: 18 }],
    break_bulk: [
      { code: "HL", name: "Heavy-lift additional (pieces over 40 t)", basis: "per_tonne", usd: 35 },
      { code: "OL", name: "Over-length additional", basis: "per_freight_tonne", usd: 12 },
    ],
  };
  return offered[cargoType].map(({ usd, ...surcharge }) => ({
    ...inUsd(surcharge, usd),
    mandatory: false,
    validFrom,
    validTo: null,
  }));
};

const inUsd = (surcharge: Pick<Surcharge, "code" | "name" | "basis">, usd: number) => ({
  ...surcharge,
  amountCents: Math.round(usd * 100),
  currency: "USD" as const,
});

/** USD per container by region, before the port's own adjustment. */
const terminalHandlingByRegion: Readonly<Record<string, number>> = {
  EAS: 165, SEA: 140, SAS: 155, MEG: 185, NEU: 255, MED: 230, AFW: 280, AFS: 240,
  NAW: 410, NAE: 395, NAG: 390, CAM: 230, SAE: 275, SAW: 240, OCE: 320,
}; // biome-ignore format: a table

const terminalHandling = ({ unlocode, regionCode }: DemoPort): number =>
  (terminalHandlingByRegion[regionCode] ?? 220) + Math.floor(seededRandom(`terminal ${unlocode}`)() * 9) * 5 - 20;

const isCongested = ({ unlocode }: DemoPort): boolean => seededRandom(`congestion ${unlocode}`)() < 0.09;

const inEmissionArea = ({ regionCode }: DemoPort): boolean => ["NEU", "MED", "NAE", "NAW", "NAG"].includes(regionCode);

const euMembers = new Set(
  "AT BE BG HR CY CZ DE DK EE ES FI FR GR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);
const inEuropeanUnion = ({ countryCode }: DemoPort): boolean => euMembers.has(countryCode);
/** Voyages between two members count fully, voyages with one member half. */
const euShare = (ends: DemoPort[]): number => (ends.every(inEuropeanUnion) ? 1 : 0.5);

// ── Periods, freshness, popularity ──────────────────────────────────────────────────────────────────

const periodsOf = (route: DemoRoute, { quarters }: DemoCalendar, freshness: Freshness): ImportedRoute["periods"] =>
  quarters.map(({ code, name, startsOn, endsOn }, i) => ({
    code: `${route.code}/${code}`,
    name,
    startsOn,
    endsOn,
    freshness,
    successorCode: quarters[i + 1] ? `${route.code}/${quarters[i + 1]?.code}` : null,
  }));

/** A fifth of the routes are real-time, half daily, the rest weekly. */
const demoFreshness = (route: DemoRoute, { today, weeks }: DemoCalendar) => {
  const lot = seededRandom(`freshness ${route.code}`)();
  const freshness: Freshness = lot < 0.2 ? "real_time" : lot < 0.7 ? "daily" : "weekly";
  const lastObserved = {
    real_time: `${today}T00:00:00Z`,
    daily: `${addDays(today, -1)}T18:00:00Z`,
    weekly: `${weeks.at(-1)?.monday ?? addDays(today, -1)}T06:00:00Z`,
  }[freshness];
  return { freshness, lastObserved };
};

const roundTo = (value: number, step: number): number => Math.round(value / step) * step;
