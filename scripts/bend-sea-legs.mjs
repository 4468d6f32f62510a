/**
 * Gives the legs of the sea network that would be drawn across land the points that take them round it: "bends". Run
 * it after changing points, legs or approaches; the results are committed.
 *
 * The coastline is that of the drawn maps, Natural Earth 1:50m (npm world-atlas). A leg stays straight if it crosses
 * land anyway: canals, rivers and lakes are land on this map.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { feature } from "topojson-client";

/** Degrees of latitude: what a line may cut off a cape, and how far bends keep from the coast if there is room. */
const toleratedLand = 0.025;
const clearance = 0.12;
/** How much a ship prefers open sea, by distance from the coast in degrees. On land, only to get out of a harbour. */
const costOnLand = 40;
const costAt = (degreesFromLand) =>
  degreesFromLand > clearance ? 1 : degreesFromLand > 0.06 ? 1.3 : degreesFromLand > 0.03 ? 2 : 4;

const dataFile = (name) => new URL(`../drizzle/seed/data/${name}`, import.meta.url);
const readJson = (name) => JSON.parse(readFileSync(dataFile(name), "utf8"));
const radians = (degrees) => (degrees * Math.PI) / 180;

// ── Land ────────────────────────────────────────────────────────────────────────────────────────────

const atlas = JSON.parse(readFileSync(new URL(import.meta.resolve("world-atlas/land-50m.json")), "utf8"));
const rings = feature(atlas, atlas.objects.land).features.flatMap(({ geometry }) =>
  geometry.type === "Polygon" ? geometry.coordinates : geometry.coordinates.flat(),
);

/** How many bands of segments a degree of latitude has. */
const bandsPerDegree = 20;
/** The coast's segments by band. */
const bands = new Map();
const addSegment = (x1, y1, x2, y2) => {
  const last = Math.floor(Math.max(y1, y2) * bandsPerDegree);
  for (let band = Math.floor(Math.min(y1, y2) * bandsPerDegree); band <= last; band++) {
    if (!bands.has(band)) bands.set(band, []);
    bands.get(band).push([x1, y1, x2, y2]);
  }
};
for (const ring of rings) {
  const cuts = [];
  for (let i = 1; i < ring.length; i++) {
    const [[x1, y1], [x2, y2]] = [ring[i - 1], ring[i]];
    if (Math.abs(x2 - x1) <= 180) addSegment(x1, y1, x2, y2);
    else {
      // The ring crosses the antimeridian: cut it there, and close both parts along the meridian below.
      const edge = x1 > 0 ? 180 : -180;
      const cut = x1 === edge ? y1 : y1 + ((edge - x1) * (y2 - y1)) / (x2 + 2 * edge - x1);
      addSegment(x1, y1, edge, cut);
      addSegment(-edge, cut, x2, y2);
      cuts.push(cut);
    }
  }
  // Antarctica goes round the pole.
  if (cuts.length % 2 === 1) cuts.push(-90);
  cuts.sort((a, b) => a - b);
  for (let i = 0; i < cuts.length; i += 2) for (const edge of [-180, 180]) addSegment(edge, cuts[i], edge, cuts[i + 1]);
}

const bandAt = (lat) => bands.get(Math.floor(lat * bandsPerDegree)) ?? [];
const longitudeAt = ([x1, y1, x2, y2], lat) => x1 + ((lat - y1) * (x2 - x1)) / (y2 - y1);

/** The longitudes at which this parallel enters and leaves land, in order. */
const coastsAt = (lat) =>
  bandAt(lat)
    .filter(([, y1, , y2]) => y1 > lat !== y2 > lat)
    .map((segment) => longitudeAt(segment, lat))
    .toSorted((a, b) => a - b);

const wrapped = (lon) => ((((lon + 180) % 360) + 360) % 360) - 180;
const isLand = (lon, lat) => {
  let isInside = false;
  for (const segment of bandAt(lat)) {
    if (segment[1] > lat !== segment[3] > lat && wrapped(lon) > longitudeAt(segment, lat)) isInside = !isInside;
  }
  return isInside;
};

// ── Lines, as the maps draw them: along the great circle in steps of two degrees ────────────────────

const toVector = ([lon, lat]) => [
  Math.cos(radians(lat)) * Math.cos(radians(lon)),
  Math.cos(radians(lat)) * Math.sin(radians(lon)),
  Math.sin(radians(lat)),
];
const angleBetween = (a, b) => {
  const [v, w] = [toVector(a), toVector(b)];
  return Math.acos(Math.min(1, v[0] * w[0] + v[1] * w[1] + v[2] * w[2]));
};
const nauticalMiles = (line) =>
  line.slice(1).reduce((sum, point, i) => sum + angleBetween(line[i], point) * 3440.065, 0);

const greatCircle = (from, to) => {
  const [a, b] = [toVector(from), toVector(to)];
  const angle = angleBetween(from, to);
  const steps = Math.max(1, Math.floor(angle / radians(2)));
  return Array.from({ length: steps + 1 }, (_, i) => {
    if (i === 0) return from;
    if (i === steps) return to;
    const [p, q] = [Math.sin((1 - i / steps) * angle), Math.sin((i / steps) * angle)];
    const [x, y, z] = [0, 1, 2].map((k) => (p * a[k] + q * b[k]) / Math.sin(angle));
    return [(Math.atan2(y, x) * 180) / Math.PI, (Math.asin(z) * 180) / Math.PI];
  });
};

/** The mean of `costOf` along a line, times its length in degrees of latitude. */
const integral = (from, to, step, costOf) => {
  const line = greatCircle(from, to);
  let sum = 0;
  for (let i = 1; i < line.length; i++) {
    const [[lon, lat], [nextLon, nextLat]] = [line[i - 1], line[i]];
    const east = wrapped(nextLon - lon);
    const length = Math.hypot(east * Math.cos(radians((lat + nextLat) / 2)), nextLat - lat);
    const samples = Math.max(1, Math.ceil(length / step));
    for (let k = 0; k < samples; k++) {
      const share = (k + 0.5) / samples;
      sum += (length / samples) * costOf(lon + east * share, lat + (nextLat - lat) * share);
    }
  }
  return sum;
};

/** Degrees of latitude. */
const landOn = (line) =>
  line.slice(1).reduce((sum, to, i) => sum + integral(line[i], to, 0.015, (lon, lat) => (isLand(lon, lat) ? 1 : 0)), 0);

// ── The way round ───────────────────────────────────────────────────────────────────────────────────

/** What each cell of a grid around the two points costs to cross. */
const gridAround = (from, to) => {
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
  const fromLand = new Float32Array(columns * rows).fill(Number.POSITIVE_INFINITY);
  for (let row = 0; row < rows; row++) {
    const coasts = coastsAt(south + (row + 0.5) * stepLat);
    for (let column = 0; column < columns; column++) {
      const lon = wrapped(west + (column + 0.5) * stepLon);
      let crossed = 0;
      while (crossed < coasts.length && coasts[crossed] < lon) crossed++;
      if (crossed % 2 === 1) fromLand[row * columns + column] = 0;
    }
  }
  const spread = (cell, row, column, [down, right]) => {
    const [r, c] = [row + down, column + right];
    if (r < 0 || c < 0 || r >= rows || c >= columns) return;
    const distance = fromLand[r * columns + c] + Math.hypot(down, right) * stepLat;
    if (distance < fromLand[cell]) fromLand[cell] = distance;
  };
  const before = [
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [0, -1],
  ];
  for (let cell = 0; cell < columns * rows; cell++)
    for (const step of before) spread(cell, Math.floor(cell / columns), cell % columns, step);
  for (let cell = columns * rows - 1; cell >= 0; cell--)
    for (const [down, right] of before) spread(cell, Math.floor(cell / columns), cell % columns, [-down, -right]);

  const cellAt = ([lon, lat]) => {
    const east = from[0] + wrapped(lon - from[0]) - west;
    const column = Math.min(columns - 1, Math.max(0, Math.floor(east / stepLon)));
    const row = Math.min(rows - 1, Math.max(0, Math.floor((lat - south) / stepLat)));
    return row * columns + column;
  };
  const pointAt = (cell) => [
    wrapped(west + ((cell % columns) + 0.5) * stepLon),
    south + (Math.floor(cell / columns) + 0.5) * stepLat,
  ];
  const cost = (cell) => (fromLand[cell] === 0 ? costOnLand : costAt(fromLand[cell]));
  return { columns, rows, stepLat, cellAt, pointAt, cost };
};

const cheapestCells = ({ columns, rows, stepLat, cellAt, cost }, from, to) => {
  const [start, end] = [cellAt(from), cellAt(to)];
  const costs = new Float64Array(columns * rows).fill(Number.POSITIVE_INFINITY);
  const cameFrom = new Int32Array(columns * rows).fill(-1);
  costs[start] = 0;
  // A bucket queue: costs are settled in steps that are shorter than any move.
  const buckets = [[start]];
  const widthOf = stepLat / 2;
  for (let at = 0; at < buckets.length; at++) {
    for (const cell of buckets[at] ?? []) {
      if (Math.floor(costs[cell] / widthOf) !== at) continue;
      if (cell === end) return trail(cameFrom, end);
      const [row, column] = [Math.floor(cell / columns), cell % columns];
      for (let down = -1; down <= 1; down++) {
        for (let right = -1; right <= 1; right++) {
          const [r, c] = [row + down, column + right];
          if ((down === 0 && right === 0) || r < 0 || c < 0 || r >= rows || c >= columns) continue;
          const next = r * columns + c;
          const total = costs[cell] + (Math.hypot(down, right) * stepLat * (cost(cell) + cost(next))) / 2;
          if (total >= costs[next]) continue;
          costs[next] = total;
          cameFrom[next] = cell;
          const bucket = Math.floor(total / widthOf);
          buckets[bucket] ??= [];
          buckets[bucket].push(next);
        }
      }
    }
  }
  return [];
};

const trail = (cameFrom, end) => {
  const cells = [];
  for (let cell = end; cell !== -1; cell = cameFrom[cell]) cells.unshift(cell);
  return cells;
};

/** As few of the points as make a line that costs hardly more. */
const straightened = (line, costBetween) => {
  const until = [0];
  for (let i = 1; i < line.length; i++) until.push(until[i - 1] + costBetween(line[i - 1], line[i]));
  const kept = [line[0]];
  for (let i = 0; i < line.length - 1; ) {
    let next = i + 1;
    for (let k = line.length - 1; k > i + 1; k--) {
      if (costBetween(line[i], line[k]) > (until[k] - until[i]) * 1.03) continue;
      next = k;
      break;
    }
    kept.push(line[next]);
    i = next;
  }
  return kept;
};

/** The bends of a leg as [lon, lat]; none if it can be straight, or if going round saves no land. */
const bendsBetween = (from, to, longest) => {
  const straightLand = landOn([from, to]);
  if (straightLand <= toleratedLand) return [];
  const grid = gridAround(from, to);
  const cells = cheapestCells(grid, from, to);
  const line = [from, ...cells.slice(1, -1).map(grid.pointAt), to];
  const costBetween = (a, b) => integral(a, b, grid.stepLat / 2, (lon, lat) => grid.cost(grid.cellAt([lon, lat])));
  const kept = straightened(line, costBetween).map(([lon, lat]) => [round(lon), round(lat)]);
  const bent = [from, ...kept.slice(1, -1), to];
  if (landOn(bent) > straightLand * 0.8 || nauticalMiles(bent) > longest) return [];
  return kept.slice(1, -1);
};

const round = (degrees) => Math.round(degrees * 100) / 100;
const roundMiles = (miles) => Math.round(miles * 10) / 10;

// ── The files ───────────────────────────────────────────────────────────────────────────────────────

const network = readJson("sea_network.json");
const approaches = readJson("port_approaches.json");
const pointOf = ([, , lat, lon]) => [lon, lat];
const [header, ...rows] = readFileSync(dataFile("ports.csv"), "utf8")
  .trim()
  .split("\n")
  .map((line) => line.split(","));
const column = (name) => header.indexOf(name);
const portAt = new Map(
  rows.map((cells) => [cells[column("unlocode")], [cells[column("lon")], cells[column("lat")]].map(Number)]),
);

let bent = 0;
const report = (name, from, to, bends) => {
  const [before, after] = [landOn([from, to]), landOn([from, ...bends, to])].map((land) => (land * 60).toFixed(0));
  if (bends.length > 0) bent++;
  if (Number(before) >= 2) process.stdout.write(`${name}: ${before} nm of land, ${after} with ${bends.length} bends\n`);
};
/** Bends keep farther from the coast than ships do, so that only a line that is much longer lengthens its leg. */
const milesAlong = (line, miles) => (nauticalMiles(line) > miles * 1.1 ? nauticalMiles(line) : miles);
/** The file writes latitude first. */
const written = (bends) => bends.map(([lon, lat]) => [lat, lon]);

network.edges = network.edges.map(([i, k, miles, weight, passage]) => {
  const [from, to] = [network.nodes[i], network.nodes[k]].map(pointOf);
  const bends = bendsBetween(from, to, miles * 2 + 40);
  report(`${network.nodes[i][0]} – ${network.nodes[k][0]}`, from, to, bends);
  if (bends.length === 0) return passage ? [i, k, miles, weight, passage] : [i, k, miles, weight];
  // Canals and straits have their known length.
  const longer = passage ? 0 : milesAlong([from, ...bends, to], miles) - miles;
  return [i, k, roundMiles(miles + longer), roundMiles(weight + longer), passage ?? null, written(bends)];
});
for (const [port, joins] of Object.entries(approaches)) {
  approaches[port] = joins.map(([node, miles]) => {
    const [from, to] = [portAt.get(port), pointOf(network.nodes[node])];
    const bends = bendsBetween(from, to, miles * 2 + 40);
    report(`${port} – ${network.nodes[node][0]}`, from, to, bends);
    if (bends.length === 0) return [node, miles];
    return [node, roundMiles(milesAlong([from, ...bends, to], miles)), written(bends)];
  });
}
writeFileSync(dataFile("sea_network.json"), JSON.stringify(network));
writeFileSync(dataFile("port_approaches.json"), JSON.stringify(approaches));
process.stdout.write(`${bent} bent legs\n`);
