/** Routes: one line per service level of a route. A route's lines are the complete list of its levels. */
import { z } from "zod";
import { serviceLevelNames } from "../catalogue/enums.ts";
import { greatCircleNm } from "../catalogue/great-circle.ts";
import type { ImportedRoute } from "../catalogue/import-records.ts";
import { popularityBounds } from "../catalogue/priced-period.ts";
import { openPeriodName, quarterOf } from "../catalogue/quarter.ts";
import type { CargoType } from "../catalogue/route.ts";
import type { Waypoint } from "../catalogue/waypoint.ts";
import type { Day } from "../dates.ts";
import { counted } from "../wording.ts";
import {
  cargoType,
  code,
  departureWeekdays,
  distanceNm,
  freshness,
  name,
  onlyActive,
  sailings,
  serviceLevel,
  textOrNone,
  transitDays,
  unlocode,
  viaPorts,
} from "./cells.ts";
import type { FindingCode } from "./finding.ts";
import type { ImportFormat } from "./kind.ts";
import { parsedRow } from "./parse-cells.ts";

const routeLine = z.object({
  code,
  name,
  cargo_type: cargoType,
  carrier_code: code,
  carrier_name: textOrNone,
  trade_lane_code: code,
  route_group_code: code,
  origin_unlocode: unlocode,
  destination_unlocode: unlocode,
  via_unlocodes: viaPorts,
  distance_nm: distanceNm,
  service_level: serviceLevel,
  transit_time_days: transitDays,
  sailings_per_week: sailings,
  departure_weekdays: departureWeekdays,
  data_freshness: freshness,
  status: onlyActive,
});

/** A line with its row in the file. */
export type RouteLine = Omit<z.output<typeof routeLine>, "status"> & { row: number };

/** Outside of these, a distance or a transit time is probably mistyped. */
const likelyKnots = { from: 5, to: 24 };

export const routes = {
  syntax: "csv",
  columns: {
    required: [
      "code",
      "name",
      "cargo_type",
      "carrier_code",
      "trade_lane_code",
      "route_group_code",
      "origin_unlocode",
      "destination_unlocode",
      "distance_nm",
      "service_level",
      "transit_time_days",
      "sailings_per_week",
      "departure_weekdays",
      "data_freshness",
    ],
    optional: ["carrier_name", "via_unlocodes", "status"],
  },
  template: "routes.csv",
  about: "One line per route and service level; include all service levels of a route. New routes go on sale.",
  staging: {
    code: "text",
    name: "text",
    cargo_type: "cargo_type",
    carrier_code: "text",
    carrier_name: "text",
    trade_lane_code: "text",
    route_group_code: "text",
    origin_unlocode: "text",
    destination_unlocode: "text",
    via_unlocodes: "text[]",
    distance_nm: "integer",
    service_level: "service_level_name",
    transit_time_days: "smallint",
    sailings_per_week: "float8",
    departure_weekdays: "smallint[]",
    data_freshness: "freshness",
  },
  parseRow(values, note) {
    const line = parsedRow(routeLine, values, note);
    if (!line) return null;
    const { status: _, ...staged } = line;
    const speed = knots(line.distance_nm, line.transit_time_days);
    if (speed < likelyKnots.from || speed > likelyKnots.to) {
      const message = `${counted(line.distance_nm, "nautical mile")} in ${counted(line.transit_time_days, "day")} needs a speed of ${counted(speed, "knot")}. Check both`;
      note.warning("transit_time_days", "unlikely_speed", message);
    }
    return staged;
  },
} as const satisfies ImportFormat;

// ── Checks against the catalogue ────────────────────────────────────────────────────────────────────

export type KnownPort = { unlocode: string; name: string; lat: number; lon: number; cargoTypes: CargoType[] };

/** The part of the catalogue to which routes refer. */
export type KnownCatalogue = {
  /** By every code of each port. */
  ports: ReadonlyMap<string, KnownPort>;
  carriers: ReadonlyMap<string, { name: string; cargoTypes: CargoType[] }>;
  routeGroups: ReadonlyMap<string, { tradeLaneCode: string; cargoType: CargoType }>;
};

export type RouteFinding = { row: number; column: string; code: FindingCode; message: string; value: string };

/** Checks the lines of one route against each other and against the catalogue. */
export const checkRoute = (lines: readonly RouteLine[], known: KnownCatalogue): RouteFinding[] =>
  lines.flatMap((line, index) => {
    const findings: RouteFinding[] = [];
    const note: Note = (column, code, message) =>
      findings.push({ row: line.row, column, code, message, value: writtenOf(line[column]) });
    checkGroup(line, known, note);
    checkCarrier(line, known, note);
    checkPorts(line, known, note);
    checkAgreement(line, lines.slice(0, index), note);
    return findings;
  });

type Note = (column: keyof RouteLine, code: FindingCode, message: string) => void;

const writtenOf = (value: string | number | readonly (string | number)[]): string =>
  typeof value === "object" ? value.join("|") : String(value);

const checkGroup = (line: RouteLine, known: KnownCatalogue, note: Note): void => {
  const group = known.routeGroups.get(line.route_group_code);
  if (!group) {
    note("route_group_code", "unknown_code", "Unknown route group. Correct the code");
    return;
  }
  if (group.tradeLaneCode !== line.trade_lane_code) {
    const message = `The group ${line.route_group_code} belongs to the trade lane ${group.tradeLaneCode}`;
    note("trade_lane_code", "contradiction", message);
  }
  if (group.cargoType !== line.cargo_type) {
    note("cargo_type", "wrong_cargo_type", `The group ${line.route_group_code} is for ${group.cargoType} cargo`);
  }
};

const checkCarrier = (line: RouteLine, known: KnownCatalogue, note: Note): void => {
  const carrier = known.carriers.get(line.carrier_code);
  if (!carrier) {
    if (line.carrier_name === "") {
      note("carrier_code", "unknown_code", "Unknown carrier. Correct the code, or enter the name to add the carrier");
    }
  } else if (line.carrier_name !== "" && line.carrier_name !== carrier.name) {
    const message = `${line.carrier_code} is ${carrier.name}. Correct the name or the code`;
    note("carrier_name", "contradiction", message);
  }
};

/** A margin for positions that are rounded. */
const leastOfGreatCircle = 0.98;

const checkPorts = (line: RouteLine, known: KnownCatalogue, note: Note): void => {
  const origin = known.ports.get(line.origin_unlocode);
  const destination = known.ports.get(line.destination_unlocode);
  for (const [column, port] of [
    ["origin_unlocode", origin],
    ["destination_unlocode", destination],
  ] as const) {
    if (!port) note(column, "unknown_code", "Unknown port. Correct the code");
    else if (!port.cargoTypes.includes(line.cargo_type)) note(column, "wrong_cargo_type", withoutCargo(port, line));
  }
  const strange = line.via_unlocodes.filter((port) => !known.ports.has(port));
  if (strange.length > 0) {
    const message = `Unknown ports: ${strange.join(", ")}. Enter UN/LOCODEs with | between them`;
    note("via_unlocodes", "unknown_code", message);
  }
  for (const via of line.via_unlocodes) {
    const port = known.ports.get(via);
    if (port && !port.cargoTypes.includes(line.cargo_type)) {
      note("via_unlocodes", "wrong_cargo_type", withoutCargo(port, line));
    }
  }
  if (portOf(known, line.origin_unlocode) === portOf(known, line.destination_unlocode)) {
    note("destination_unlocode", "same_port", "Origin and destination are the same port. Correct one of them");
  } else if (origin && destination) {
    const shortest = greatCircleNm(origin, destination);
    if (line.distance_nm < shortest * leastOfGreatCircle) {
      const message = `Shorter than the great-circle distance of ${Math.round(shortest)} nautical miles. Correct the distance or the ports`;
      note("distance_nm", "too_short", message);
    }
  }
};

const withoutCargo = ({ name: called }: KnownPort, { cargo_type }: RouteLine): string =>
  `${called} does not handle ${cargo_type} cargo. Correct the port, or add the cargo type to it`;

const portOf = (known: KnownCatalogue, written: string): string => known.ports.get(written)?.unlocode ?? written;

/** Fields that must be equal on all lines of a route. */
const routeColumns = [
  "name",
  "cargo_type",
  "carrier_code",
  "carrier_name",
  "trade_lane_code",
  "route_group_code",
  "origin_unlocode",
  "destination_unlocode",
  "via_unlocodes",
  "distance_nm",
  "sailings_per_week",
  "departure_weekdays",
  "data_freshness",
] as const satisfies (keyof RouteLine)[];

const checkAgreement = (line: RouteLine, earlier: readonly RouteLine[], note: Note): void => {
  const [first] = earlier;
  if (!first) return;
  for (const column of routeColumns) {
    if (writtenOf(line[column]) !== writtenOf(first[column])) {
      const message = `Line ${first.row} has a different value for the same route. Use the same value in both lines`;
      note(column, "contradiction", message);
    }
  }
  const twice = earlier.find((each) => each.service_level === line.service_level);
  if (twice) {
    note("service_level", "duplicate", `Already in line ${twice.row}. Use one line per service level`);
  }
};

// ── The record ──────────────────────────────────────────────────────────────────────────────────────

/** Finds the sea route through ports, in order. */
export type WayFinder = (
  ports: readonly KnownPort[],
  distanceNm: number,
) => { waypoints: Waypoint[]; passages: string[] };

type World = { known: KnownCatalogue; wayOf: WayFinder; today: Day; now: string };

/**
 * The route after the import. Rates, surcharges, capacity and the days of periods are not in the file and stay. A new
 * route gets an open period that starts on the first day of the quarter.
 *
 * @param before null: a new route
 */
export const routeRecord = (
  lines: readonly [RouteLine, ...RouteLine[]],
  before: ImportedRoute | null,
  { known, wayOf, today, now }: World,
): ImportedRoute => {
  const [first] = lines;
  const originPort = portOf(known, first.origin_unlocode);
  const destinationPort = portOf(known, first.destination_unlocode);
  const serviceLevels = lines
    .map(({ service_level: level, transit_time_days: transitDays, distance_nm }) => {
      const now = before?.serviceLevels.find((each) => each.level === level);
      const isAsBefore = now?.transitDays === transitDays && before?.distanceNm === distance_nm;
      return { level, transitDays, speedKnots: isAsBefore ? now.speedKnots : knots(distance_nm, transitDays) };
    })
    .toSorted((a, b) => serviceLevelNames.indexOf(a.level) - serviceLevelNames.indexOf(b.level));
  const kept = new Set(serviceLevels.map(({ level }) => level));
  return {
    ...(before ?? newRoute(first.code, today, now)),
    code: first.code,
    name: first.name,
    routeGroupCode: first.route_group_code,
    carrierCode: first.carrier_code,
    cargoType: first.cargo_type,
    originPort,
    destinationPort,
    distanceNm: first.distance_nm,
    sailingsPerWeek: first.sailings_per_week,
    departureWeekdays: first.departure_weekdays,
    serviceLevels,
    baseRates: before?.baseRates.filter((rate) => kept.has(rate.serviceLevel)) ?? [],
    periods: (before?.periods ?? [openPeriod(first.code, today)]).map((period) =>
      period.endsOn === null ? { ...period, freshness: first.data_freshness } : period,
    ),
    ...wayIn(first, before, { originPort, destinationPort, known, wayOf }),
  };
};

/** The average speed over the whole voyage, including port calls. */
const knots = (distanceNm: number, days: number): number => Math.round((distanceNm / (days * 24)) * 10) / 10 || 0.1;

/** The path is recomputed if the file names ports of call, or if the ports have changed. */
const wayIn = (
  { via_unlocodes, distance_nm }: RouteLine,
  before: ImportedRoute | null,
  at: { originPort: string; destinationPort: string; known: KnownCatalogue; wayOf: WayFinder },
): Pick<ImportedRoute, "waypoints" | "passages" | "intermediateCalls"> => {
  const sameEnds = before?.originPort === at.originPort && before.destinationPort === at.destinationPort;
  if (before && sameEnds && via_unlocodes.length === 0) {
    const { waypoints, passages, intermediateCalls } = before;
    const stretch = distance_nm / before.distanceNm;
    const moved = waypoints.map((point) => ({ ...point, distanceNm: Math.round(point.distanceNm * stretch) }));
    return { waypoints: moved, passages, intermediateCalls };
  }
  const ports = [at.originPort, ...via_unlocodes, at.destinationPort].flatMap((port) => at.known.ports.get(port) ?? []);
  return { ...at.wayOf(ports, distance_nm), intermediateCalls: via_unlocodes.length };
};

/** Zero capacity, and so no booking, until a capacity report arrives. */
const newRoute = (routeCode: string, today: Day, now: string) => ({
  code: routeCode,
  transhipments: 0,
  capacityNominal: 0,
  capacityAvailable: 0,
  bookingStatus: "closed" as const,
  capacityObservedAt: now,
  popularityPercent: popularityBounds.min,
  surcharges: [],
  periods: [openPeriod(routeCode, today)],
});

const openPeriod = (routeCode: string, today: Day): ImportedRoute["periods"][number] => {
  const { code, startsOn } = quarterOf(today);
  return {
    code: `${routeCode}/${code}`,
    name: openPeriodName(startsOn),
    startsOn,
    endsOn: null,
    freshness: "daily",
    successorCode: null,
  };
};

// ── The preview ─────────────────────────────────────────────────────────────────────────────────────

/** A route's fields as the file names them, for showing what changes. */
export const shownFields = (route: ImportedRoute): Record<string, string> => ({
  name: route.name,
  cargo_type: route.cargoType,
  carrier_code: route.carrierCode,
  route_group_code: route.routeGroupCode,
  origin_unlocode: route.originPort,
  destination_unlocode: route.destinationPort,
  distance_nm: String(route.distanceNm),
  ...Object.fromEntries(
    route.serviceLevels.map(({ level, transitDays }) => [`transit_time_days (${level})`, String(transitDays)]),
  ),
  sailings_per_week: String(route.sailingsPerWeek),
  departure_weekdays: route.departureWeekdays.join("|"),
  data_freshness: route.periods.find(({ endsOn }) => endsOn === null)?.freshness ?? "",
  path: route.waypoints.flatMap(({ name: called }) => called ?? []).join(", "),
});
