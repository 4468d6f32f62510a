/**
 * Draws the world's land twice, once around Greenwich and once around the Pacific, as SVGs that pages place under a
 * route with <use href="…#land">. Run it after changing the width, the centres or the data; the results are committed.
 * The projection must be that of app/portal/components/route-map/projection.ts, whose test compares the two.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { geoGraticule, geoNaturalEarth1, geoPath } from "d3-geo";
import { feature } from "topojson-client";

const width = 1000;
/**
 * Map units: how far the coast may be from where it is drawn, and the smallest island. Finer where ships go, between
 * 63° N and 47° S, so that a short hop still runs along a coast that can be recognised.
 */
const sailed = { from: 63, to: -47, tolerance: 0.19, smallestArea: 0.3 };
const icy = { tolerance: 0.7, smallestArea: 4 };

const atlas = JSON.parse(readFileSync(new URL(import.meta.resolve("world-atlas/land-50m.json")), "utf8"));
const world = feature(atlas, atlas.objects.land);

const draw = (centreLongitude, file) => {
  const projection = geoNaturalEarth1()
    .rotate([-centreLongitude, 0])
    .precision(0.3)
    .fitWidth(width, { type: "Sphere" });
  const [, [, bottom]] = geoPath(projection).bounds({ type: "Sphere" });
  const [north, south] = [sailed.from, sailed.to].map((latitude) => projection([centreLongitude, latitude])[1]);
  const detailAt = ([, y]) => (y > north && y < south ? sailed : icy);
  const land = lines(projection, world)
    .filter((ring) => Math.abs(area(ring)) >= detailAt(ring[0]).smallestArea)
    .map((ring) => `${toPath(simplifyRing(ring, detailAt))}z`)
    .join("");
  const graticule = lines(projection, geoGraticule().step([30, 30])())
    .map((line) => toPath(simplifyLine(line, () => icy)))
    .join("");
  const paths = [
    `<path id="graticule" transform="scale(.1)" vector-effect="non-scaling-stroke" d="${graticule}"/>`,
    `<path id="land" transform="scale(.1)" vector-effect="non-scaling-stroke" d="${land}"/>`,
  ];
  const viewBox = `0 0 ${width} ${Math.round(bottom)}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${paths.join("")}</svg>\n`;
  writeFileSync(new URL(`../app/portal/components/route-map/${file}`, import.meta.url), svg);
  process.stdout.write(`${file}: ${(svg.length / 1024).toFixed(1)} KB\n`);
};

/** Every line or ring of the geometry, projected and cut at the map's edge. */
const lines = (projection, geometry) => {
  const found = [];
  geoPath(projection, {
    moveTo: (x, y) => found.push([[x, y]]),
    lineTo: (x, y) => found.at(-1).push([x, y]),
    closePath: () => {},
    arc: () => {},
  })(geometry);
  return found;
};

const area = (ring) =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length];
    return sum + (x * nextY - nextX * y) / 2;
  }, 0);

/** Douglas–Peucker, from the ring's first point to the one farthest from it and back. */
const simplifyRing = (ring, detailAt) => {
  const distance = ([x, y]) => Math.hypot(x - ring[0][0], y - ring[0][1]);
  const far = ring.reduce((best, point, i) => (distance(point) > distance(ring[best]) ? i : best), 0);
  return [
    ...simplifyLine(ring.slice(0, far + 1), detailAt).slice(0, -1),
    ...simplifyLine([...ring.slice(far), ring[0]], detailAt).slice(0, -1),
  ];
};

const simplifyLine = (line, detailAt) => {
  const [first, last] = [line[0], line[line.length - 1]];
  let worst = 0;
  let at = 0;
  for (let i = 1; i < line.length - 1; i++) {
    // In tolerances, so that one number decides everywhere.
    const off = distanceToSegment(line[i], first, last) / detailAt(line[i]).tolerance;
    if (off > worst) [worst, at] = [off, i];
  }
  if (worst <= 1) return [first, last];
  return [...simplifyLine(line.slice(0, at + 1), detailAt).slice(0, -1), ...simplifyLine(line.slice(at), detailAt)];
};

const distanceToSegment = ([x, y], [x1, y1], [x2, y2]) => {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / length));
  return Math.hypot(x - x1 - t * dx, y - y1 - t * dy);
};

/** Relative steps in tenths of a map unit, as short as SVG allows. */
const toPath = (line) => {
  const points = line.map(([x, y]) => [Math.round(x * 10), Math.round(y * 10)]);
  let path = `M${points[0].join(" ")}l`;
  let [x, y] = points[0];
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
