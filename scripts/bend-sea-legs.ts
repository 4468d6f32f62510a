/**
 * Gives the legs of the sea network that would be drawn across land the points that lead them around it: "bends". Run it
 * after changing points, legs or approaches; the results are committed.
 *
 * The coastline is that of the drawn maps, Natural Earth 1:50m. Where going around saves no land the leg stays straight:
 * canals, rivers and lakes are land on this map.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { feature } from "topojson-client";
import { z } from "zod";
import type { ApproachesFile, SeaNetworkFile } from "../app/domain/catalogue/sea-network.ts";

/** In degrees. */
type Point = [lon: number, lat: number];
type Segment = [x1: number, y1: number, x2: number, y2: number];

/** Degrees of latitude: what a line may cut off a cape, and how far bends keep from the coast if there is room. */
const toleratedLand = 0.025;
const clearance = 0.12;
/** How much a ship prefers open sea, by distance from the coast in degrees. On land, only to get out of a harbour. */
const costOnLand = 40;
const costAt = (degreesFromLand: number): number => {
  if (degreesFromLand > clearance) return 1;
  if (degreesFromLand > 0.06) return 1.3;
  return degreesFromLand > 0.03 ? 2 : 4;
};

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
/** The sum of a function over the consecutive pairs of a list. */
const sumOfPairs = <Item>(items: readonly Item[], of: (from: Item, to: Item) => number): number => {
  let [previous] = items;
  let sum = 0;
  for (const item of items.slice(1)) {
    if (previous !== undefined) sum += of(previous, item);
    previous = item;
  }
  return sum;
};

// ── Land ────────────────────────────────────────────────────────────────────────────────────────────

/** The outlines of all land, closed. */
const readRings = (): Point[][] => {
  const file = new URL(import.meta.resolve("world-atlas/land-50m.json"));
  const atlas: Parameters<typeof feature>[0] = JSON.parse(readFileSync(file, "utf8"));
  if (!atlas.objects.land) throw new Error("The atlas has no land");
  const land = feature(atlas, atlas.objects.land);
  const shapes = land.type === "FeatureCollection" ? land.features : [land];
  const rings = shapes.flatMap(({ geometry }) => {
    if (geometry.type === "Polygon") return geometry.coordinates;
    return geometry.type === "MultiPolygon" ? geometry.coordinates.flat() : [];
  });
  return rings.map((ring) => ring.map(([lon = 0, lat = 0]): Point => [lon, lat]));
};

/** How many bands of segments a degree of latitude has. */
const bandsPerDegree = 20;

/** The coast's segments by band of latitude. */
const bandsOf = (rings: readonly Point[][]): ReadonlyMap<number, readonly Segment[]> => {
  const bands = new Map<number, Segment[]>();
  const add = (segment: Segment): void => {
    const [, y1, , y2] = segment;
    const last = Math.floor(Math.max(y1, y2) * bandsPerDegree);
    for (let band = Math.floor(Math.min(y1, y2) * bandsPerDegree); band <= last; band++) {
      const segments = bands.get(band);
      if (segments) segments.push(segment);
      else bands.set(band, [segment]);
    }
  };
  for (const ring of rings) {
    const cuts: number[] = [];
    for (const [i, [x2, y2]] of ring.entries()) {
      const before = ring[i - 1];
      if (!before) continue;
      const [x1, y1] = before;
      if (Math.abs(x2 - x1) <= 180) add([x1, y1, x2, y2]);
      else {
        // The ring crosses the antimeridian: cut it there, and close both parts along the meridian below.
        const edge = x1 > 0 ? 180 : -180;
        const cut = x1 === edge ? y1 : y1 + ((edge - x1) * (y2 - y1)) / (x2 + 2 * edge - x1);
        add([x1, y1, edge, cut]);
        add([-edge, cut, x2, y2]);
        cuts.push(cut);
      }
    }
    // Antarctica surrounds the pole.
    if (cuts.length % 2 === 1) cuts.push(-90);
    cuts.sort((a, b) => a - b);
    for (const [i, cut] of cuts.entries()) {
      const next = cuts[i + 1];
      if (i % 2 === 0 && next !== undefined) for (const edge of [-180, 180]) add([edge, cut, edge, next]);
    }
  }
  return bands;
};

const bands = bandsOf(readRings());
const bandAt = (lat: number): readonly Segment[] => bands.get(Math.floor(lat * bandsPerDegree)) ?? [];
const longitudeAt = ([x1, y1, x2, y2]: Segment, lat: number): number => x1 + ((lat - y1) * (x2 - x1)) / (y2 - y1);

/** The longitudes at which this parallel enters and leaves land, in order. */
const coastsAt = (lat: number): number[] =>
  bandAt(lat)
    .filter(([, y1, , y2]) => y1 > lat !== y2 > lat)
    .map((segment) => longitudeAt(segment, lat))
    .toSorted((a, b) => a - b);

const wrapped = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;
const isLand = (lon: number, lat: number): boolean => {
  let isInside = false;
  for (const segment of bandAt(lat)) {
    if (segment[1] > lat !== segment[3] > lat && wrapped(lon) > longitudeAt(segment, lat)) isInside = !isInside;
  }
  return isInside;
};

// ── Lines, as the maps draw them: along the great circle in steps of two degrees ────────────────────

type Vector = [x: number, y: number, z: number];

const toVector = ([lon, lat]: Point): Vector => [
  Math.cos(radians(lat)) * Math.cos(radians(lon)),
  Math.cos(radians(lat)) * Math.sin(radians(lon)),
  Math.sin(radians(lat)),
];
const angleBetween = (a: Point, b: Point): number => {
  const [v, w] = [toVector(a), toVector(b)];
  return Math.acos(Math.min(1, v[0] * w[0] + v[1] * w[1] + v[2] * w[2]));
};
const earthRadiusNm = 3440.065;
const nauticalMiles = (line: readonly Point[]): number =>
  sumOfPairs(line, (from, to) => angleBetween(from, to) * earthRadiusNm);

const greatCircle = (from: Point, to: Point): Point[] => {
  const [a, b] = [toVector(from), toVector(to)];
  const angle = angleBetween(from, to);
  const steps = Math.max(1, Math.floor(angle / radians(2)));
  return Array.from({ length: steps + 1 }, (_, i): Point => {
    if (i === 0) return from;
    if (i === steps) return to;
    const [p, q] = [Math.sin((1 - i / steps) * angle), Math.sin((i / steps) * angle)];
    const along = (k: 0 | 1 | 2): number => (p * a[k] + q * b[k]) / Math.sin(angle);
    return [(Math.atan2(along(1), along(0)) * 180) / Math.PI, (Math.asin(along(2)) * 180) / Math.PI];
  });
};

/** The mean of `costOf` along a line, times its length in degrees of latitude. */
const integral = (from: Point, to: Point, step: number, costOf: (lon: number, lat: number) => number): number => {
  let sum = 0;
  let [lon, lat] = from;
  for (const [nextLon, nextLat] of greatCircle(from, to).slice(1)) {
    const east = wrapped(nextLon - lon);
    const length = Math.hypot(east * Math.cos(radians((lat + nextLat) / 2)), nextLat - lat);
    const samples = Math.max(1, Math.ceil(length / step));
    for (let k = 0; k < samples; k++) {
      const share = (k + 0.5) / samples;
      sum += (length / samples) * costOf(lon + east * share, lat + (nextLat - lat) * share);
    }
    [lon, lat] = [nextLon, nextLat];
  }
  return sum;
};

/** How much of a line is on land, in degrees of latitude. */
const landOn = (line: readonly Point[]): number =>
  sumOfPairs(line, (from, to) => integral(from, to, 0.015, (lon, lat) => (isLand(lon, lat) ? 1 : 0)));

// ── The way around ──────────────────────────────────────────────────────────────────────────────────

type Grid = {
  columns: number;
  rows: number;
  /** The height of a cell, in degrees. */
  stepLat: number;
  cellAt: (point: Point) => number;
  pointAt: (cell: number) => Point;
  /** What the cell costs to cross. */
  cost: (cell: number) => number;
};

/** A grid around two points. */
const gridAround = (from: Point, to: Point): Grid => {
  const eastOf = wrapped(to[0] - from[0]);
  const shrink = Math.cos(radians((from[1] + to[1]) / 2));
  const extent = Math.max(Math.abs(eastOf) * shrink, Math.abs(to[1] - from[1]));
  const margin = Math.max(0.8, extent * 0.5);
  const stepLat = Math.min(0.12, Math.max(0.01, extent / 250));
  const stepLon = stepLat / shrink;
  const west = from[0] + Math.min(0, eastOf) - margin / shrink;
  const south = Math.max(-70, Math.min(from[1], to[1]) - margin);
  const columns = Math.ceil((Math.abs(eastOf) + (2 * margin) / shrink) / stepLon);
  const rows = Math.ceil((Math.min(78, Math.max(from[1], to[1]) + margin) - south) / stepLat);
  const isLandAt = (row: number): ((column: number) => boolean) => {
    const coasts = coastsAt(south + (row + 0.5) * stepLat);
    return (column) => {
      const lon = wrapped(west + (column + 0.5) * stepLon);
      return coasts.filter((coast) => coast < lon).length % 2 === 1;
    };
  };
  const fromLand = degreesFromLand({ columns, rows, stepLat }, isLandAt);
  return {
    columns,
    rows,
    stepLat,
    cellAt: ([lon, lat]) => {
      const east = from[0] + wrapped(lon - from[0]) - west;
      const column = Math.min(columns - 1, Math.max(0, Math.floor(east / stepLon)));
      const row = Math.min(rows - 1, Math.max(0, Math.floor((lat - south) / stepLat)));
      return row * columns + column;
    },
    pointAt: (cell) => [
      wrapped(west + ((cell % columns) + 0.5) * stepLon),
      south + (Math.floor(cell / columns) + 0.5) * stepLat,
    ],
    cost: (cell) => {
      const distance = fromLand[cell] ?? 0;
      return distance === 0 ? costOnLand : costAt(distance);
    },
  };
};

/** The distance of each cell from land: a two-pass distance transform. */
const degreesFromLand = (
  { columns, rows, stepLat }: Pick<Grid, "columns" | "rows" | "stepLat">,
  isLandAt: (row: number) => (column: number) => boolean,
): Float32Array => {
  const distances = new Float32Array(columns * rows).fill(Number.POSITIVE_INFINITY);
  for (let row = 0; row < rows; row++) {
    const isLandIn = isLandAt(row);
    for (let column = 0; column < columns; column++) if (isLandIn(column)) distances[row * columns + column] = 0;
  }
  const spread = (cell: number, down: number, right: number): void => {
    const [row, column] = [Math.floor(cell / columns) + down, (cell % columns) + right];
    if (row < 0 || column < 0 || row >= rows || column >= columns) return;
    const distance = (distances[row * columns + column] ?? 0) + Math.hypot(down, right) * stepLat;
    if (distance < (distances[cell] ?? 0)) distances[cell] = distance;
  };
  const before = [
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [0, -1],
  ] as const;
  for (let cell = 0; cell < distances.length; cell++) for (const [down, right] of before) spread(cell, down, right);
  for (let cell = distances.length - 1; cell >= 0; cell--)
    for (const [down, right] of before) spread(cell, -down, -right);
  return distances;
};

/** The cells of the cheapest path, from end to end. Empty: there is none. */
const cheapestCells = ({ columns, rows, stepLat, cellAt, cost }: Grid, from: Point, to: Point): number[] => {
  const [start, end] = [cellAt(from), cellAt(to)];
  const costs = new Float64Array(columns * rows).fill(Number.POSITIVE_INFINITY);
  const cameFrom = new Int32Array(columns * rows).fill(-1);
  costs[start] = 0;
  // A bucket queue: costs are settled in steps that are shorter than any move.
  const buckets: number[][] = [[start]];
  const bucketWidth = stepLat / 2;
  const moveOn = (cell: number, down: number, right: number): void => {
    const [row, column] = [Math.floor(cell / columns) + down, (cell % columns) + right];
    if (row < 0 || column < 0 || row >= rows || column >= columns) return;
    const next = row * columns + column;
    const total = (costs[cell] ?? 0) + (Math.hypot(down, right) * stepLat * (cost(cell) + cost(next))) / 2;
    if (total >= (costs[next] ?? 0)) return;
    costs[next] = total;
    cameFrom[next] = cell;
    const bucket = Math.floor(total / bucketWidth);
    buckets[bucket] ??= [];
    buckets[bucket].push(next);
  };
  for (let at = 0; at < buckets.length; at++) {
    for (const cell of buckets[at] ?? []) {
      if (Math.floor((costs[cell] ?? 0) / bucketWidth) !== at) continue;
      if (cell === end) return trail(cameFrom, end);
      for (const down of [-1, 0, 1]) {
        for (const right of [-1, 0, 1]) if (down !== 0 || right !== 0) moveOn(cell, down, right);
      }
    }
  }
  return [];
};

const trail = (cameFrom: Int32Array, end: number): number[] => {
  const cells: number[] = [];
  for (let cell = end; cell !== -1; cell = cameFrom[cell] ?? -1) cells.push(cell);
  return cells.reverse();
};

/** As few of the points as make a line that costs hardly more. */
const straightened = (line: readonly Point[], costBetween: (a: Point, b: Point) => number): Point[] => {
  let total = 0;
  const stops = line.map((point, i) => {
    const before = line[i - 1];
    if (before) total += costBetween(before, point);
    return { point, until: total };
  });
  const kept = line.slice(0, 1);
  for (let i = 0; i < stops.length - 1; ) {
    const here = stops[i];
    const isDirect = ({ point, until }: (typeof stops)[number]): boolean =>
      here !== undefined && costBetween(here.point, point) <= (until - here.until) * 1.03;
    const farthest = stops.findLastIndex((stop, k) => k > i + 1 && isDirect(stop));
    i = farthest === -1 ? i + 1 : farthest;
    const next = stops[i];
    if (next) kept.push(next.point);
  }
  return kept;
};

/** The bends of a leg; none if it can be straight, or if going around saves no land. */
const bendsBetween = (from: Point, to: Point, longestMiles: number): Point[] => {
  const straightLand = landOn([from, to]);
  if (straightLand <= toleratedLand) return [];
  const grid = gridAround(from, to);
  const cells = cheapestCells(grid, from, to);
  const line = [from, ...cells.slice(1, -1).map(grid.pointAt), to];
  const costBetween = (a: Point, b: Point): number =>
    integral(a, b, grid.stepLat / 2, (lon, lat) => grid.cost(grid.cellAt([lon, lat])));
  const bends = straightened(line, costBetween)
    .slice(1, -1)
    .map(([lon, lat]): Point => [hundredths(lon), hundredths(lat)]);
  const bent = [from, ...bends, to];
  return landOn(bent) > straightLand * 0.8 || nauticalMiles(bent) > longestMiles ? [] : bends;
};

const hundredths = (degrees: number): number => Math.round(degrees * 100) / 100;
const tenths = (miles: number): number => Math.round(miles * 10) / 10;

// ── The files ───────────────────────────────────────────────────────────────────────────────────────

const catalogue = new URL("../app/domain/catalogue/", import.meta.url);
const networkFile = new URL("sea-network-data/sea_network.json", catalogue);
const approachesFile = new URL("sea-network-data/port_approaches.json", catalogue);
const readJson = (file: URL): unknown => JSON.parse(readFileSync(file, "utf8"));

const network = readJson(networkFile) as SeaNetworkFile;
const approaches = readJson(approachesFile) as ApproachesFile;
const ports = z
  .array(z.object({ unlocode: z.string(), lat: z.number(), lon: z.number() }))
  .parse(readJson(new URL("reference-data/ports.json", catalogue)));
const portAt = new Map(ports.map(({ unlocode, lat, lon }) => [unlocode, [lon, lat] as Point]));

const nodeAt = (index: number): { key: string; at: Point } => {
  const node = network.nodes[index];
  if (!node) throw new Error(`The network has no node ${index}`);
  const [key, , lat, lon] = node;
  return { key, at: [lon, lat] };
};
/** How much longer than its distance in miles a leg may become. */
const longestMiles = (miles: number): number => miles * 2 + 40;
/** Bends keep farther from the coast than ships do, so that only a line that is much longer lengthens its leg. */
const milesAlong = (line: readonly Point[], miles: number): number =>
  nauticalMiles(line) > miles * 1.1 ? nauticalMiles(line) : miles;
/** The files write latitude first. */
const written = (bends: readonly Point[]): [lat: number, lon: number][] => bends.map(([lon, lat]) => [lat, lon]);

let bentLegs = 0;
const report = (name: string, from: Point, to: Point, bends: readonly Point[]): void => {
  if (bends.length > 0) bentLegs++;
  const [before, after] = [
    [from, to],
    [from, ...bends, to],
  ].map((line) => Math.round(landOn(line) * 60));
  if (before !== undefined && before >= 2) {
    process.stdout.write(`${name}: ${before} nm of land, ${after} with ${bends.length} bends\n`);
  }
};

const edges = network.edges.map(([i, k, miles, weight, passage]): SeaNetworkFile["edges"][number] => {
  const [from, to] = [nodeAt(i), nodeAt(k)];
  const bends = bendsBetween(from.at, to.at, longestMiles(miles));
  report(`${from.key} – ${to.key}`, from.at, to.at, bends);
  if (bends.length === 0) return passage ? [i, k, miles, weight, passage] : [i, k, miles, weight];
  // Canals and straits have their known length.
  const longer = passage ? 0 : milesAlong([from.at, ...bends, to.at], miles) - miles;
  return [i, k, tenths(miles + longer), tenths(weight + longer), passage ?? null, written(bends)];
});

const joinsOf = (port: string, joins: ApproachesFile[string]): ApproachesFile[string] => {
  const from = portAt.get(port);
  if (!from) throw new Error(`The reference data has no port ${port}`);
  return joins.map(([node, miles]) => {
    const { key, at } = nodeAt(node);
    const bends = bendsBetween(from, at, longestMiles(miles));
    report(`${port} – ${key}`, from, at, bends);
    return bends.length === 0 ? [node, miles] : [node, tenths(milesAlong([from, ...bends, at], miles)), written(bends)];
  });
};
const bentApproaches = Object.fromEntries(
  Object.entries(approaches).map(([port, joins]) => [port, joinsOf(port, joins)]),
);

writeFileSync(networkFile, JSON.stringify({ ...network, edges }));
writeFileSync(approachesFile, JSON.stringify(bentApproaches));
process.stdout.write(`${bentLegs} bent legs\n`);
