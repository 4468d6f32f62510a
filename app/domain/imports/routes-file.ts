/** Routes files: one line per service level of a route. */
import { z } from "zod";
import { serviceLevelNames } from "../catalogue/enums.ts";
import type { ImportedRoute, SourceRow } from "../catalogue/import-records.ts";
import { popularityBounds } from "../catalogue/priced-period.ts";
import { openPeriodName, quarterOf } from "../catalogue/quarter.ts";
import type { CargoType } from "../catalogue/route.ts";
import type { Waypoint } from "../catalogue/waypoint.ts";
import type { Day } from "../dates.ts";
import type { KnownCatalogue, KnownPort } from "./catalogue-snapshot.ts";
import type { CellError } from "./cell-error.ts";
import {
  cargoType,
  code,
  departureWeekdays,
  freshness,
  name,
  onlyActive,
  sailings,
  serviceLevel,
  unlocode,
  viaPorts,
  wholeNumber,
} from "./cells.ts";
import { checked, type OnProgress, type Plan, sameRecord, withPauses } from "./check.ts";
import type { CellSchemas, FileRow } from "./file.ts";

const routeLine = z.object({
  code,
  name,
  cargo_type: cargoType,
  carrier_code: code,
  carrier_name: z.string().max(200, "At most 200 characters").default(""),
  trade_lane_code: code,
  route_group_code: code,
  origin_unlocode: unlocode,
  destination_unlocode: unlocode,
  via_unlocodes: viaPorts,
  distance_nm: wholeNumber("nautical miles", { from: 1, to: 30_000 }),
  service_level: serviceLevel,
  transit_time_days: wholeNumber("days", { from: 1, to: 300 }),
  sailings_per_week: sailings,
  departure_weekdays: departureWeekdays,
  data_freshness: freshness,
  status: onlyActive,
} satisfies CellSchemas<"routes">);
type RouteLine = z.output<typeof routeLine>;
type Located = RouteLine & { line: number };

/** Finds the sea route through ports, in order. */
export type WayFinder = (
  ports: readonly KnownPort[],
  distanceNm: number,
) => { waypoints: Waypoint[]; passages: string[] };

type World = { known: KnownCatalogue; wayOf: WayFinder; today: Day; now: string; onProgress?: OnProgress };

/**
 * A route's lines are the complete list of its service levels. Rates, surcharges, periods and capacity are not in the
 * file and stay. A new route gets an open period that starts on the first day of the quarter.
 */
export const planRoutes = async (rows: Iterable<FileRow>, errors: CellError[], world: World): Promise<Plan> => {
  const routes = new Map<string, Located[]>();
  let count = 0;
  for await (const row of withPauses(rows, world.onProgress)) {
    count++;
    const line = checked(routeLine, row, errors);
    if (!line) continue;
    const note = noteOf(errors, row);
    checkReferences(line, world.known, note);
    const levels = routes.get(line.code) ?? [];
    routes.set(line.code, levels);
    checkAgreement(line, levels, note);
    levels.push({ ...line, line: row.line });
  }

  const counts = { new: 0, changed: 0, unchanged: 0 };
  const records: SourceRow[] = [];
  const carriers = new Map<string, { name: string; cargoTypes: Set<CargoType>; line: number }>();
  if (errors.length === 0) {
    for await (const [, levels] of withPauses(routes)) {
      const [first] = levels;
      if (!first) continue;
      noteCarrier(first, world.known, carriers);
      const before = world.known.routes.get(first.code);
      const after = recordOf(first, levels, before, world);
      if (before && sameRecord(before, after)) counts.unchanged++;
      else {
        counts[before ? "changed" : "new"]++;
        records.push({ line: first.line, values: after });
      }
    }
  }
  return {
    rows: count,
    counts,
    errors,
    source: {
      carriers: {
        file: "carriers",
        rows: [...carriers].map(([carrier, { line, name: called, cargoTypes }]) => ({
          line,
          values: { code: carrier, name: called, cargoTypes: [...cargoTypes] },
        })),
      },
      routes: { file: "routes", rows: records },
    },
  };
};

type Note = (column: keyof RouteLine, message: string) => void;

const noteOf =
  (errors: CellError[], { line, cells }: FileRow): Note =>
  (column, message) =>
    errors.push({ line, column, value: cells[column] ?? "", message });

// ── References of a line ────────────────────────────────────────────────────────────────────────────

const checkReferences = (line: RouteLine, known: KnownCatalogue, note: Note): void => {
  const group = known.routeGroups.get(line.route_group_code);
  if (!group) note("route_group_code", "There is no such route group. Correct the code");
  else {
    if (group.tradeLaneCode !== line.trade_lane_code) {
      note("trade_lane_code", `The group ${line.route_group_code} is of the trade lane ${group.tradeLaneCode}`);
    }
    if (group.cargoType !== line.cargo_type) {
      note("cargo_type", `The group ${line.route_group_code} is of ${group.cargoType} cargo`);
    }
  }
  for (const column of ["origin_unlocode", "destination_unlocode"] as const) {
    if (!known.ports.has(line[column])) note(column, "There is no port of this code. Correct it");
  }
  const strange = line.via_unlocodes.filter((port) => !known.ports.has(port));
  if (strange.length > 0) {
    note("via_unlocodes", `No port: ${strange.join(", ")}. Write UN/LOCODEs with | between them`);
  }
  if (portOf(known, line.origin_unlocode) === portOf(known, line.destination_unlocode)) {
    note("destination_unlocode", "The same port as the origin. Correct one of them");
  }
  checkCarrier(line, known, note);
};

const checkCarrier = (line: RouteLine, known: KnownCatalogue, note: Note): void => {
  const carrier = known.carriers.get(line.carrier_code);
  if (!carrier) {
    if (line.carrier_name === "")
      note("carrier_code", "There is no such carrier. Correct the code, or name the new one");
  } else if (line.carrier_name !== "" && line.carrier_name !== carrier.name) {
    note("carrier_name", `${line.carrier_code} is ${carrier.name}. Correct the name or the code`);
  }
};

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

const checkAgreement = (line: RouteLine, earlier: Located[], note: Note): void => {
  const [first] = earlier;
  if (!first) return;
  for (const column of routeColumns) {
    if (!sameRecord(line[column], first[column])) {
      note(column, `Line ${first.line} says something else of the same route. Write the same in both`);
    }
  }
  const twice = earlier.find((each) => each.service_level === line.service_level);
  if (twice) note("service_level", `Stands in line ${twice.line} already. Write one line for each level`);
};

/** Notes a carrier that is new, or new to this cargo type. */
const noteCarrier = (
  { carrier_code, carrier_name, cargo_type, line }: Located,
  known: KnownCatalogue,
  carriers: Map<string, { name: string; cargoTypes: Set<CargoType>; line: number }>,
): void => {
  const before = known.carriers.get(carrier_code);
  if (before?.cargoTypes.includes(cargo_type)) return;
  const noted = carriers.get(carrier_code);
  const cargo = noted?.cargoTypes ?? new Set(before?.cargoTypes);
  carriers.set(carrier_code, {
    name: before?.name ?? carrier_name,
    cargoTypes: cargo.add(cargo_type),
    line: noted?.line ?? line,
  });
};

// ── The record ──────────────────────────────────────────────────────────────────────────────────────

const recordOf = (
  first: Located,
  levels: Located[],
  before: ImportedRoute | undefined,
  { known, wayOf, today, now }: World,
): ImportedRoute => {
  const originPort = portOf(known, first.origin_unlocode);
  const destinationPort = portOf(known, first.destination_unlocode);
  const serviceLevels = levels
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
  { via_unlocodes, distance_nm }: Located,
  before: ImportedRoute | undefined,
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
