/**
 * Draws the world's land twice, centred on Greenwich and on the Pacific, as SVGs that pages place under a route with
 * <use href="…#land">, with the outline of the globe. Run it after changing the width, the centres or the data; the results are committed.
 * The projection must equal that of app/portal/components/route-map/projection.ts, whose test compares the two.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { type GeoPermissibleObjects, type GeoProjection, geoGraticule, geoNaturalEarth1, geoPath } from "d3-geo";
import { feature } from "topojson-client";

type Point = [x: number, y: number];
type Detail = { tolerance: number; smallestArea: number };

const width = 1000;
/**
 * In map units: the tolerance of the simplified coast, and the smallest island. Finer where ships sail, between 63° N and
 * 47° S, so that a short route still follows a recognizable coast.
 */
const sailed: Detail & { from: number; to: number } = { from: 63, to: -47, tolerance: 0.19, smallestArea: 0.3 };
const icy: Detail = { tolerance: 0.7, smallestArea: 4 };

const atlasFile = new URL(import.meta.resolve("world-atlas/land-50m.json"));
const atlas: Parameters<typeof feature>[0] = JSON.parse(readFileSync(atlasFile, "utf8"));
if (!atlas.objects.land) throw new Error("The atlas has no land");
const world = feature(atlas, atlas.objects.land);

const draw = (centreLongitude: number, file: string): void => {
  const projection = geoNaturalEarth1()
    .rotate([-centreLongitude, 0])
    .precision(0.3)
    .fitWidth(width, { type: "Sphere" });
  const [, [, bottom]] = geoPath(projection).bounds({ type: "Sphere" });
  const heightOf = (latitude: number): number => projection([centreLongitude, latitude])?.[1] ?? 0;
  const [north, south] = [heightOf(sailed.from), heightOf(sailed.to)];
  const detailAt = ([, y]: Point): Detail => (y > north && y < south ? sailed : icy);
  const land = lines(projection, world)
    .filter((ring) => Math.abs(area(ring)) >= detailAt(firstOf(ring)).smallestArea)
    .map((ring) => `${toPath(simplifyRing(ring, detailAt))}z`)
    .join("");
  const graticule = lines(projection, geoGraticule().step([30, 30])())
    .map((line) => toPath(simplifyLine(line, () => icy)))
    .join("");
  const sphere = lines(projection, { type: "Sphere" })
    .map((ring) => `${toPath(simplifyRing(ring, () => icy))}z`)
    .join("");
  const paths = [
    `<path id="sphere" transform="scale(.1)" vector-effect="non-scaling-stroke" d="${sphere}"/>`,
    `<path id="graticule" transform="scale(.1)" vector-effect="non-scaling-stroke" d="${graticule}"/>`,
    `<path id="land" transform="scale(.1)" vector-effect="non-scaling-stroke" d="${land}"/>`,
  ];
  const viewBox = `0 0 ${width} ${Math.round(bottom)}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${paths.join("")}</svg>\n`;
  writeFileSync(new URL(`../app/portal/components/route-map/${file}`, import.meta.url), svg);
  process.stdout.write(`${file}: ${(svg.length / 1024).toFixed(1)} KB\n`);
};

/** Every line or ring of the geometry, projected and clipped at the map's edge. */
const lines = (projection: GeoProjection, geometry: GeoPermissibleObjects): Point[][] => {
  const found: Point[][] = [];
  geoPath(projection, {
    moveTo: (x, y) => found.push([[x, y]]),
    lineTo: (x, y) => found.at(-1)?.push([x, y]),
    closePath: () => {},
    arc: () => {},
    beginPath: () => {},
  })(geometry);
  return found;
};

const firstOf = (line: Point[]): Point => line[0] ?? [0, 0];
const lastOf = (line: Point[]): Point => line.at(-1) ?? firstOf(line);

const area = (ring: Point[]): number =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[i + 1] ?? firstOf(ring);
    return sum + (x * nextY - nextX * y) / 2;
  }, 0);

/** Douglas–Peucker, from the ring's first point to the one farthest from it and back. */
const simplifyRing = (ring: Point[], detailAt: (point: Point) => Detail): Point[] => {
  const first = firstOf(ring);
  const distances = ring.map(([x, y]) => Math.hypot(x - first[0], y - first[1]));
  const far = distances.indexOf(Math.max(...distances));
  return [
    ...simplifyLine(ring.slice(0, far + 1), detailAt).slice(0, -1),
    ...simplifyLine([...ring.slice(far), first], detailAt).slice(0, -1),
  ];
};

const simplifyLine = (line: Point[], detailAt: (point: Point) => Detail): Point[] => {
  const [first, last] = [firstOf(line), lastOf(line)];
  let worst = 0;
  let at = 0;
  for (const [i, point] of line.entries()) {
    // Relative to the tolerance, which differs by latitude.
    const off = distanceToSegment(point, first, last) / detailAt(point).tolerance;
    if (off > worst) [worst, at] = [off, i];
  }
  if (worst <= 1) return [first, last];
  return [...simplifyLine(line.slice(0, at + 1), detailAt).slice(0, -1), ...simplifyLine(line.slice(at), detailAt)];
};

const distanceToSegment = ([x, y]: Point, [x1, y1]: Point, [x2, y2]: Point): number => {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / length));
  return Math.hypot(x - x1 - t * dx, y - y1 - t * dy);
};

/** Relative steps in tenths of a map unit, as short as SVG allows. */
const toPath = (line: Point[]): string => {
  const points = line.map(([x, y]): Point => [Math.round(x * 10), Math.round(y * 10)]);
  let [x, y] = firstOf(points);
  let path = `M${x} ${y}l`;
  let needsSpace = false;
  for (const [nextX, nextY] of points.slice(1)) {
    if (nextX === x && nextY === y) continue;
    for (const step of [nextX - x, nextY - y]) {
      path += needsSpace && step >= 0 ? ` ${step}` : `${step}`;
      needsSpace = true;
    }
    [x, y] = [nextX, nextY];
  }
  return path;
};

draw(0, "world-atlantic.svg");
draw(-150, "world-pacific.svg");
