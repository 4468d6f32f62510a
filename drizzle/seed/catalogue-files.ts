/** The demo catalogue as an import source: the files in `data/`, completed by the generator in `demo/`. */
import { readFileSync } from "node:fs";
import type {
  CatalogueSource,
  ImportedPort,
  ImportedReport,
  SourceRow,
  SourceTable,
} from "#app/domain/catalogue/import-records.ts";
import type { CargoType, Haul, ServiceLevelName } from "#app/domain/catalogue/route.ts";
import { passagesAlong, type SeaNetwork, seaNetworkOf, waypointsOf } from "#app/domain/catalogue/sea-network.ts";
import type { Day } from "#app/domain/dates.ts";
import { type DemoCalendar, demoCalendarOf, newestObservation } from "./demo/calendar.ts";
import { type DemoPort, type DemoRoute, demoRouteRecord, laneBasePriceCents } from "./demo/market.ts";
import { demoReportCount, demoReports } from "./demo/reports.ts";

export type DemoCatalogue = {
  source: CatalogueSource;
  /** The routes that exist after the import. */
  routeCodes: string[];
  /** ISO 8601. */
  newestReportAt: string;
};

type Region = { code: string; name: string; geography: string };
type Lane = {
  code: string;
  name: string;
  region: string;
  origin_region: string;
  destination_region: string;
  haul: Haul;
};
type Group = { code: string; name: string; trade_lane: string; cargo_type: CargoType };
type Carrier = { code: string; name: string; cargo_types: CargoType[] };
type RouteLine = {
  code: string;
  lane: string;
  group: string;
  ct: CargoType;
  carrier: string;
  pol: string;
  pod: string;
  nm: number;
  path: number[];
  wl: string[];
  calls: number;
  ts: number;
  service: { level: ServiceLevelName; speed_knots: number; transit_days: number }[];
  freq: number;
  base: number;
};

/**
 * Reads the demo catalogue as of a day. With `routeCodes` it contains only these routes with their ports, carriers and
 * groups, and all regions and trade lanes.
 *
 * @throws RangeError for a code that is not in the demo
 */
export const readDemoCatalogue = (options: { today: Day; routeCodes?: readonly string[] }): DemoCatalogue => {
  const calendar = demoCalendarOf(options.today);
  const lines = text("routes.jsonl")
    .trimEnd()
    .split("\n")
    .map((line, i) => ({ line: i + 1, values: JSON.parse(line) as RouteLine }));
  const chosen = options.routeCodes ? chosenLines(lines, options.routeCodes) : lines;
  const files = readFiles();
  const routes = chosen.map(({ line, values }) => ({ line, route: demoRouteOf(values, files) }));

  const isWanted = wantedBy(options.routeCodes && chosen.map(({ values }) => values));
  const source: CatalogueSource = {
    regions: table("regions.json", files.regions, (region) => region),
    ports: portTable(isWanted.port),
    carriers: table("carriers.json", files.carriers.filter(isWanted.carrier), ({ code, name, cargo_types }) => ({
      code,
      name,
      cargoTypes: cargo_types,
    })),
    tradeLanes: laneTable(
      files,
      lines.map(({ values }) => values),
    ),
    routeGroups: table("route_groups.json", files.groups.filter(isWanted.group), (group) => ({
      code: group.code,
      name: group.name,
      tradeLaneCode: group.trade_lane,
      cargoType: group.cargo_type,
    })),
    routes: {
      file: "routes.jsonl",
      rows: routeRows(routes, calendar),
    },
    reports: {
      generated: generatedReports(routes, calendar),
      expectedRows: routes.reduce((sum, { route }) => sum + demoReportCount(route, calendar), 0),
    },
  };
  return { source, routeCodes: routes.map(({ route }) => route.code), newestReportAt: newestObservation(calendar) };
};

/** Generated lazily: nothing is generated if the catalogue has been imported already. */
function* routeRows(routes: { line: number; route: DemoRoute }[], calendar: DemoCalendar): Generator<SourceRow> {
  for (const { line, route } of routes) yield { line, values: demoRouteRecord(route, calendar) };
}

function* generatedReports(routes: { route: DemoRoute }[], calendar: DemoCalendar): Generator<ImportedReport> {
  for (const { route } of routes) yield* demoReports(route, calendar);
}

// ── Reading ─────────────────────────────────────────────────────────────────────────────────────────

const text = (file: string): string => readFileSync(new URL(`data/${file}`, import.meta.url), "utf8");
const json = <Content>(file: string): Content => JSON.parse(text(file)) as Content;
const productData = "../../../app/domain/catalogue";
const seaNetworkData = `${productData}/sea-network-data`;
const referenceData = `${productData}/reference-data`;

const readFiles = () => ({
  regions: json<Region[]>(`${referenceData}/regions.json`),
  lanes: json<Lane[]>("trade_lanes.json"),
  groups: json<Group[]>("route_groups.json"),
  carriers: json<Carrier[]>("carriers.json"),
  ports: new Map(readPorts().map((port) => [port.unlocode, port])),
  network: seaNetworkOf(json(`${seaNetworkData}/sea_network.json`), json(`${seaNetworkData}/port_approaches.json`)),
});

type Files = ReturnType<typeof readFiles>;

const readPorts = () => json<ImportedPort[]>(`${referenceData}/ports.json`);

const demoRouteOf = (line: RouteLine, files: Files): DemoRoute => ({
  code: line.code,
  lane: found(files.lanes, line.lane),
  routeGroupCode: line.group,
  carrier: found(files.carriers, line.carrier),
  cargoType: line.ct,
  origin: portOf(files, line.pol),
  destination: portOf(files, line.pod),
  distanceNm: line.nm,
  transhipments: line.ts,
  intermediateCalls: line.calls,
  sailingsPerWeek: line.freq,
  serviceLevels: line.service.map(({ level, speed_knots, transit_days }) => ({
    level,
    speedKnots: speed_knots,
    transitDays: transit_days,
  })),
  base: line.base,
  ...wayOf(line, files.network),
});

const wayOf = (line: RouteLine, network: SeaNetwork) => ({
  passages: passagesAlong(network, line.path),
  waypoints: waypointsOf(
    network,
    { origin: line.pol, destination: line.pod, path: line.path },
    new Set(line.wl),
    line.nm,
  ),
});

// ── Tables ──────────────────────────────────────────────────────────────────────────────────────────

const table = <Row>(file: string, rows: Row[], values: (row: Row) => unknown): SourceTable => ({
  file,
  rows: rows.map((row, i) => ({ line: i + 1, values: values(row) })),
});

const portTable = (isWanted: (unlocode: string) => boolean): SourceTable =>
  table(
    "ports.json",
    readPorts().filter(({ unlocode }) => isWanted(unlocode)),
    (port) => port,
  );

/** Takes all routes, chosen or not, as a lane's price depends on the distances of all its routes. */
const laneTable = ({ lanes, regions }: Files, routes: RouteLine[]): SourceTable => {
  const geography = new Map(regions.map((region) => [region.code, region.geography]));
  return table("trade_lanes.json", lanes, (lane) => ({
    code: lane.code,
    name: lane.name,
    regionCode: lane.region,
    originRegionCode: lane.origin_region,
    destinationRegionCode: lane.destination_region,
    haul: lane.haul,
    basePriceCents: laneBasePriceCents({
      haul: lane.haul,
      sameRegion: lane.origin_region === lane.destination_region,
      sameGeography: geography.get(lane.origin_region) === geography.get(lane.destination_region),
      medianDistanceNm: median(routes.filter((route) => route.lane === lane.code).map((route) => route.nm)),
    }),
  }));
};

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

// ── Choosing ────────────────────────────────────────────────────────────────────────────────────────

const chosenLines = <Line extends { values: RouteLine }>(lines: Line[], codes: readonly string[]): Line[] => {
  const wanted = new Set(codes);
  const chosen = lines.filter(({ values }) => wanted.delete(values.code));
  if (wanted.size > 0) throw new RangeError(`No demo route ${[...wanted].join(", ")}`);
  return chosen;
};

const wantedBy = (routes: RouteLine[] | undefined) => {
  if (routes === undefined) return { port: () => true, carrier: () => true, group: () => true };
  const ports = new Set(routes.flatMap(({ pol, pod }) => [pol, pod]));
  const carriers = new Set(routes.map(({ carrier }) => carrier));
  const groups = new Set(routes.map(({ group }) => group));
  return {
    port: (unlocode: string) => ports.has(unlocode),
    carrier: ({ code }: Carrier) => carriers.has(code),
    group: ({ code }: Group) => groups.has(code),
  };
};

const found = <Row extends { code: string }>(rows: Row[], code: string): Row => {
  const row = rows.find((each) => each.code === code);
  if (row === undefined) throw new RangeError(`Unknown code ${code}`);
  return row;
};

const portOf = ({ ports }: Files, unlocode: string): DemoPort => {
  const port = ports.get(unlocode);
  if (port === undefined) throw new RangeError(`Unknown port ${unlocode}`);
  return port;
};
