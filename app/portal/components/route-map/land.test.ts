/** The demo's routes against the coasts that the maps draw. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { legsOf } from "#app/domain/catalogue/legs.ts";
import { approximately } from "#app/domain/catalogue/route-line.ts";
import { seaNetwork } from "#app/domain/catalogue/sea-network.server.ts";
import { waypointsOf } from "#app/domain/catalogue/sea-network.ts";
import {
  compactLine,
  fineness,
  type LonLat,
  type MapName,
  type MapPoint,
  mapCentres,
  projectPoint,
  projectRoute,
} from "./projection.ts";

/** Nautical miles that a line may be inland, where the map is drawn to about four. */
const toleranceNm = 5;
/** Ports lie up rivers and fjords that the map does not draw. */
const harbourNm = 25;

/** Waterways that the map draws as land. */
const inlandWaters: { name: string; lon: number; lat: number; radiusNm: number }[] = [
  { name: "Suez Canal", lon: 32.4, lat: 30.6, radiusNm: 60 },
  { name: "Panama Canal", lon: -79.7, lat: 9.1, radiusNm: 30 },
  { name: "Kiel Canal", lon: 9.7, lat: 54.1, radiusNm: 35 },
  { name: "Amazon to Manaus", lon: -55, lat: -2.2, radiusNm: 330 },
  { name: "Paraná to San Lorenzo", lon: -59.8, lat: -33.4, radiusNm: 130 },
  { name: "Yangtze to Nanjing", lon: 119.8, lat: 32, radiusNm: 90 },
  { name: "Mississippi to Baton Rouge", lon: -90.4, lat: 29.9, radiusNm: 75 },
  { name: "Seine to Rouen", lon: 0.6, lat: 49.45, radiusNm: 35 },
  { name: "Mahakam to Samarinda", lon: 117.3, lat: -0.8, radiusNm: 45 },
  { name: "Columbia to Portland", lon: -123.3, lat: 46.1, radiusNm: 45 },
];

const read = (file: string) => readFileSync(new URL(`../../../../${file}`, import.meta.url), "utf8");
const network = await seaNetwork();
type Port = { unlocode: string; lat: number; lon: number };
const ports = new Map(
  (JSON.parse(read("app/domain/catalogue/reference-data/ports.json")) as Port[]).map((port) => [port.unlocode, port]),
);
const routes = read("drizzle/seed/data/routes.jsonl")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as { code: string; pol: string; pod: string; path: number[] })
  .map(({ code, pol, pod, path }) => {
    const [from, to] = [ports.get(pol), ports.get(pod)];
    if (!from || !to) throw new Error(`No port ${pol} or ${pod}`);
    return { code, from, to, waypoints: waypointsOf(network, { origin: pol, destination: pod, path }, new Set()) };
  });
type Place = { lat: number; lon: number };
const drawn = ({ from, to, waypoints }: { from: Place; to: Place; waypoints: Place[] }) =>
  projectRoute([from, ...waypoints, to].map(({ lon, lat }): LonLat => [lon, lat]));

describe("the demo's routes on the map", () => {
  it("are unbroken lines", () => {
    for (const route of routes) {
      const { track, d } = drawn(route);
      const longest = Math.max(...track.map((point, i) => Math.abs(point.x - (track[i - 1] ?? point).x)));
      expect(longest, route.code).toBeLessThan(500);
      expect(d.match(/M/g), route.code).toHaveLength(1);
    }
  });

  it.each([
    ["on the page of a subscriber", (waypoints: Place[]) => waypoints],
    ["on the page of a visitor", approximately],
  ] as const)("do not cross land %s", (_, shown) => {
    const found = routes.flatMap((route) => {
      const { map, track } = drawn({ ...route, waypoints: shown(route.waypoints) });
      return inlandPlaces(map, track, [route.from, route.to]).map((place) => `${place}: ${route.code}`);
    });
    expect(found).toEqual([]);
  });

  it.each(["atlantic", "pacific"] as const)("do not cross land on the %s map of many routes", (map) => {
    const ways = routes.map(({ from, to, waypoints }) =>
      [from, ...approximately(waypoints), to].map(({ lon, lat }): LonLat => [lon, lat]),
    );
    const found = legsOf(ways).flatMap(({ from, to }) =>
      linesOf(compactLine(map, [from, to])).flatMap((line) => inlandPlaces(map, line, [...ports.values()])),
    );
    expect([...new Set(found)]).toEqual([]);
  });
});

/** Where a line runs over land, to five map units. */
const inlandPlaces = (map: MapName, line: readonly MapPoint[], harbours: readonly Place[]): string[] => {
  const found = line.flatMap((point, i) => pointsInland(map, line[i - 1] ?? point, point));
  if (found.length === 0) return [];
  const excused = [...harbours.map((port) => ({ ...port, radiusNm: harbourNm })), ...inlandWaters].map(
    ({ lon, lat, radiusNm }) => ({ at: projectPoint(map, [lon, lat]), radius: radiusNm / nmPerUnit }),
  );
  const places = found
    .filter(({ x, y }) => !excused.some(({ at, radius }) => Math.hypot(at.x - x, at.y - y) < radius))
    .map(({ x, y }) => `${Math.round(x / 5) * 5} ${Math.round(y / 5) * 5} on the ${map} map`);
  return [...new Set(places)];
};

/** The lines of SVG path data that `compactLine` wrote. */
const linesOf = (d: string): MapPoint[][] =>
  d.split("M").flatMap((part) => {
    const numbers = (part.match(/-?\d+/g) ?? []).map((number) => Number(number) / fineness);
    return numbers.length === 0 ? [] : [pointsAlong(numbers)];
  });

/** An absolute start and relative steps, as both the maps and `compactLine` have it. */
const pointsAlong = (numbers: readonly number[]): MapPoint[] => {
  const points: MapPoint[] = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const before = points.at(-1) ?? { x: 0, y: 0 };
    points.push({ x: before.x + (numbers[i] ?? 0), y: before.y + (numbers[i + 1] ?? 0) });
  }
  return points;
};

/** At the equator. Farther north and south a unit is less, so that the tolerance shrinks. */
const nmPerUnit = 21.6;

type Segment = [from: MapPoint, to: MapPoint];

/** The coast that the SVG of a map draws, by rows of one map unit. */
const coastOf = (map: MapName): Map<number, Segment[]> => {
  const svg = readFileSync(new URL(`world-${map}.svg`, import.meta.url), "utf8");
  const rows = new Map<number, Segment[]>();
  for (const points of linesOf(/id="land"[^>]* d="([^"]+)"/.exec(svg)?.[1] ?? "")) {
    for (const [i, from] of points.entries()) {
      const to = points[(i + 1) % points.length] ?? from;
      for (let row = Math.floor(Math.min(from.y, to.y)); row <= Math.max(from.y, to.y); row++) {
        const segments = rows.get(row) ?? [];
        rows.set(row, segments);
        segments.push([from, to]);
      }
    }
  }
  return rows;
};

const coasts = Object.fromEntries(Object.keys(mapCentres).map((map) => [map, coastOf(map as MapName)])) as Record<
  MapName,
  Map<number, Segment[]>
>;

const known = new Map<string, MapPoint[]>();

/** The points of a stretch that are farther from the sea than the tolerance. */
const pointsInland = (map: MapName, from: MapPoint, to: MapPoint): MapPoint[] => {
  const key = `${map} ${from.x} ${from.y} ${to.x} ${to.y}`;
  const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 0.15));
  const found =
    known.get(key) ??
    Array.from({ length: steps + 1 }, (_, i) => ({
      x: from.x + ((to.x - from.x) * i) / steps,
      y: from.y + ((to.y - from.y) * i) / steps,
    })).filter((point) => isLand(map, point) && distanceToCoast(map, point) > toleranceNm / nmPerUnit);
  known.set(key, found);
  return found;
};

const isLand = (map: MapName, { x, y }: MapPoint): boolean => {
  const crossed = (coasts[map].get(Math.floor(y)) ?? []).filter(
    ([a, b]) => a.y > y !== b.y > y && x < a.x + ((y - a.y) * (b.x - a.x)) / (b.y - a.y),
  );
  return crossed.length % 2 === 1;
};

const distanceToCoast = (map: MapName, point: MapPoint): number =>
  Math.min(
    ...[-1, 0, 1].flatMap((row) =>
      (coasts[map].get(Math.floor(point.y) + row) ?? []).map((segment) => distanceTo(segment, point)),
    ),
  );

const distanceTo = ([a, b]: Segment, { x, y }: MapPoint): number => {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - a.x) * dx + (y - a.y) * dy) / length));
  return Math.hypot(x - a.x - t * dx, y - a.y - t * dy);
};
