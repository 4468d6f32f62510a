/**
 * Where a route lies on the world maps of scripts/build-world-map.ts, in map units (the world is 1000 × 520).
 * Natural Earth projection, turned about the poles only.
 */

/** Degrees east and north. */
export type LonLat = readonly [lon: number, lat: number];
export type MapPoint = { x: number; y: number };
export type ViewBox = { x: number; y: number; width: number; height: number };

export const worldSize = { width: 1000, height: 520 } as const;
/** The map is composed for this width in pixels, and this shape. */
export const nominalWidthPx = 960;
const aspect = 2;

/** The longitude in the middle of each map; the map's edge is opposite. */
export const mapCentres = { atlantic: 0, pacific: -150 } as const;
export type MapName = keyof typeof mapCentres;

export type ProjectedRoute = {
  map: MapName;
  /** Whether the map is the one turned to the Pacific. */
  rotated: boolean;
  /** The path's `d`. */
  d: string;
  /** The part of the world to show. */
  viewBox: ViewBox;
  /** Map units per pixel when the map is shown at its nominal width. */
  unit: number;
  start: MapPoint;
  end: MapPoint;
  /** Half way, and the direction of travel there, in degrees clockwise from east. */
  middle: MapPoint & { degrees: number };
  /** Points close together along the path, for keeping labels off it. */
  track: MapPoint[];
};

/**
 * The route as a line along great circles, and a view of the world that it fills well.
 *
 * @throws RangeError with fewer than two points
 */
export const projectRoute = (points: readonly LonLat[]): ProjectedRoute => {
  const [first, last] = [points[0], points[points.length - 1]];
  if (points.length < 2 || !first || !last) throw new RangeError("A route has at least two points");
  const map: MapName = crossesEdge(points, "atlantic") && !crossesEdge(points, "pacific") ? "pacific" : "atlantic";
  const track = alongGreatCircles(points).map((point) => projectPoint(map, point));
  const viewBox = viewAround(track, labelled);
  return {
    map,
    rotated: map === "pacific",
    d: pathOf(track),
    viewBox,
    unit: viewBox.width / nominalWidthPx,
    start: projectPoint(map, first),
    end: projectPoint(map, last),
    middle: middleOf(track),
    track,
  };
};

/** The map that cuts fewer of these lines at its edge; `weight` says how much each counts. */
export const mapFor = (lines: readonly { points: readonly LonLat[]; weight: number }[]): MapName => {
  const cutOn = (map: MapName) =>
    lines.reduce((sum, { points, weight }) => sum + (crossesEdge(points, map) ? weight : 0), 0);
  return cutOn("atlantic") > cutOn("pacific") ? "pacific" : "atlantic";
};

/** A part of the world that these points fill well: all of it, when they are all over it. */
export const viewOf = (points: readonly MapPoint[]): ViewBox => {
  const view = points.length > 0 ? viewAround(points, bare) : worldView;
  return view.width > worldSize.width * 0.9 ? worldView : view;
};

/** How many units of `compactLine` a map unit has. */
export const fineness = 10;

/**
 * The short `d` of a line along great circles on one of the maps, in steps of a tenth of a map unit; broken where it leaves
 * the map at its edge.
 */
export const compactLine = (map: MapName, points: readonly LonLat[]): string => {
  let before: MapPoint | undefined;
  let isOnTheWay = false;
  return alongGreatCircles(points, 8)
    .map((point) => {
      const exact = projectPoint(map, point);
      const [x, y] = [Math.round(exact.x * fineness), Math.round(exact.y * fineness)];
      const goesOn = before !== undefined && !isJump(before, exact);
      const [dx, dy] =
        goesOn && before ? [x - Math.round(before.x * fineness), y - Math.round(before.y * fineness)] : [x, y];
      // A letter counts for all steps that follow; a minus parts numbers as well as a space does.
      const letter = goesOn ? (isOnTheWay ? " " : "l") : "M";
      isOnTheWay = goesOn;
      before = { x: x / fineness, y: y / fineness };
      return `${letter}${dx} ${dy}`.replaceAll(" -", "-");
    })
    .join("");
};

export const projectPoint = (map: MapName, [lon, lat]: LonLat): MapPoint => {
  const lambda = radians(fromCentre(map, lon));
  const phi = radians(lat);
  const phi2 = phi * phi;
  const phi4 = phi2 * phi2;
  const x = lambda * (0.8707 - 0.131979 * phi2 + phi4 * (-0.013791 + phi4 * (0.003971 * phi2 - 0.001529 * phi4)));
  const y = phi * (1.007226 + phi2 * (0.015085 + phi4 * (-0.044475 + 0.028874 * phi2 - 0.005916 * phi4)));
  return { x: worldSize.width / 2 + scale * x, y: worldSize.height / 2 - scale * y };
};

/** The world, less the ice at both ends. */
const worldView: ViewBox = { x: 0, y: 12, width: worldSize.width, height: 428 };

const scale = worldSize.width / (2 * Math.PI * 0.8707);
const radians = (degrees: number) => (degrees * Math.PI) / 180;
const round = (value: number) => Math.round(value * 10) / 10;

/** Degrees east of the map's middle, −180 to 180. */
const fromCentre = (map: MapName, lon: number) => ((((lon - mapCentres[map] + 180) % 360) + 360) % 360) - 180;

const crossesEdge = (points: readonly LonLat[], map: MapName) =>
  points.some(([lon], i) => {
    const before = points[i - 1];
    return before !== undefined && Math.abs(fromCentre(map, lon) - fromCentre(map, before[0])) > 180;
  });

/** Adds points so that long legs bend as they do on the globe. */
const alongGreatCircles = (points: readonly LonLat[], stepDegrees = 2): LonLat[] =>
  points.flatMap((point, i) => {
    const before = points[i - 1];
    return before ? [...between(before, point, stepDegrees), point] : [point];
  });

const between = (from: LonLat, to: LonLat, stepDegrees: number): LonLat[] => {
  const [a, b] = [toVector(from), toVector(to)];
  const angle = Math.acos(Math.min(1, Math.max(-1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])));
  const steps = Math.floor(angle / radians(stepDegrees));
  return Array.from({ length: Math.max(0, steps - 1) }, (_, i) => {
    const share = (i + 1) / steps;
    const [p, q] = [Math.sin((1 - share) * angle) / Math.sin(angle), Math.sin(share * angle) / Math.sin(angle)];
    const [x, y, z] = [p * a[0] + q * b[0], p * a[1] + q * b[1], p * a[2] + q * b[2]];
    return [(Math.atan2(y, x) * 180) / Math.PI, (Math.asin(z) * 180) / Math.PI] as const;
  });
};

const toVector = ([lon, lat]: LonLat): [number, number, number] => {
  const [lambda, phi] = [radians(lon), radians(lat)];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
};

/** Short hops still show enough coast around them to be recognised. */
const narrowestView = 76;
/** Room for labels and markers around the line. */
const labelled = { x: 1.34, y: 1.5 };
const bare = { x: 1.12, y: 1.16 };

const viewAround = (track: readonly MapPoint[], slack: typeof labelled): ViewBox => {
  const [xs, ys] = [track.map((point) => point.x), track.map((point) => point.y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const wanted = Math.max(narrowestView, (right - left) * slack.x, (bottom - top) * slack.y * aspect);
  const width = Math.min(worldSize.width, wanted);
  const height = width / aspect;
  const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));
  return {
    x: round(clamp((left + right - width) / 2, worldSize.width - width)),
    y: round(clamp((top + bottom - height) / 2, worldSize.height - height)),
    width: round(width),
    height: round(height),
  };
};

/** A jump across most of the world is the map's edge: the line goes on from the other side. */
const isJump = (from: MapPoint | undefined, to: MapPoint) => !from || Math.abs(from.x - to.x) > worldSize.width / 2;

const pathOf = (track: readonly MapPoint[]): string =>
  track.map((point, i) => `${isJump(track[i - 1], point) ? "M" : "L"}${round(point.x)} ${round(point.y)}`).join("");

const middleOf = (track: readonly MapPoint[]): ProjectedRoute["middle"] => {
  const lengths = track.map((point, i) => {
    const before = track[i - 1];
    return before && !isJump(before, point) ? Math.hypot(point.x - before.x, point.y - before.y) : 0;
  });
  const half = lengths.reduce((sum, length) => sum + length, 0) / 2;
  let travelled = 0;
  for (const [i, point] of track.entries()) {
    const length = lengths[i] ?? 0;
    const before = track[i - 1];
    if (before && length > 0 && travelled + length >= half) {
      const share = (half - travelled) / length;
      return {
        x: before.x + (point.x - before.x) * share,
        y: before.y + (point.y - before.y) * share,
        degrees: (Math.atan2(point.y - before.y, point.x - before.x) * 180) / Math.PI,
      };
    }
    travelled += length;
  }
  return { ...(track[0] ?? { x: 0, y: 0 }), degrees: 0 };
};
