/**
 * Projects routes onto the world maps that scripts/build-world-map.ts draws, in map units (the world is 1000 × 520).
 * Natural Earth projection, rotated in longitude only.
 */

/** Degrees east and north. */
export type LonLat = readonly [lon: number, lat: number];
export type MapPoint = { x: number; y: number };
export type ViewBox = { x: number; y: number; width: number; height: number };

export const worldSize = { width: 1000, height: 520 } as const;
/** The layout assumes this width in pixels and this aspect ratio. */
export const nominalWidthPx = 960;
const aspect = 2;

/** The central longitude of each map; its edge is on the opposite side of the globe. */
export const mapCentres = { atlantic: 0, pacific: -150 } as const;
export type MapName = keyof typeof mapCentres;

export type ProjectedRoute = {
  map: MapName;
  /** Whether it uses the map centred on the Pacific. */
  rotated: boolean;
  /** The SVG path data. */
  d: string;
  /** The SVG path data of each alternative that fits the map. */
  alternatives: string[];
  /** The part of the world to show. */
  viewBox: ViewBox;
  /** Map units per pixel when the map is shown at its nominal width. */
  unit: number;
  start: MapPoint;
  end: MapPoint;
  /** The midpoint, and the direction of travel there in degrees clockwise from east. */
  middle: MapPoint & { degrees: number };
  /** Closely spaced points along the path, so that labels can avoid it. */
  track: MapPoint[];
};

/**
 * The route as a line along great circles, and a view of the map that it fills well together with its alternatives.
 * The route chooses the map. Alternatives that the edge of this map would cut in two are left out.
 *
 * @throws RangeError with fewer than two points
 */
export const projectRoute = (
  points: readonly LonLat[],
  alternatives: readonly (readonly LonLat[])[] = [],
): ProjectedRoute => {
  const [first, last] = [points[0], points[points.length - 1]];
  if (points.length < 2 || !first || !last) throw new RangeError("A route has at least two points");
  const map: MapName = crossesEdge(points, "atlantic") && !crossesEdge(points, "pacific") ? "pacific" : "atlantic";
  const track = trackOn(map, points);
  const others = alternatives.filter((line) => !crossesEdge(line, map)).map((line) => trackOn(map, line));
  const viewBox = viewAround([...track, ...others.flat()], paddingWithLabels);
  return {
    map,
    rotated: map === "pacific",
    d: pathOf(track),
    alternatives: others.map(pathOf),
    viewBox,
    unit: viewBox.width / nominalWidthPx,
    start: projectPoint(map, first),
    end: projectPoint(map, last),
    middle: middleOf(track),
    track,
  };
};

/** The map whose edge cuts fewer of these lines, counted by `weight`. */
export const mapFor = (lines: readonly { points: readonly LonLat[]; weight: number }[]): MapName => {
  const cutOn = (map: MapName) =>
    lines.reduce((sum, { points, weight }) => sum + (crossesEdge(points, map) ? weight : 0), 0);
  return cutOn("atlantic") > cutOn("pacific") ? "pacific" : "atlantic";
};

/** The part of the map that these points fill well, or the whole map if they are spread over most of it. */
export const viewOf = (points: readonly MapPoint[]): ViewBox => {
  const view = points.length > 0 ? viewAround(points, paddingWithoutLabels) : worldView;
  return view.width > worldSize.width * 0.9 ? worldView : view;
};

/** Units of `compactLine` per map unit. */
export const fineness = 10;

/**
 * Compact SVG path data for a line along great circles, rounded to a tenth of a map unit and broken where the line
 * crosses the map's edge. Points that hardly bend it are left out.
 */
export const compactLine = (map: MapName, points: readonly LonLat[]): string =>
  piecesOf(trackOn(map, points))
    .map((piece) => {
      const [start, ...rest] = simplified(piece).map(({ x, y }) => ({
        x: Math.round(x * fineness),
        y: Math.round(y * fineness),
      }));
      if (!start) return "";
      let before = start;
      const steps = rest.map((point) => {
        const step = `${point.x - before.x} ${point.y - before.y}`;
        before = point;
        return step;
      });
      // SVG shorthand: a command letter holds for all the steps that follow, and a minus sign separates numbers.
      return `M${start.x} ${start.y}${steps.length > 0 ? "l" : ""}${steps.join(" ")}`.replaceAll(" -", "-");
    })
    .join("");

export const projectPoint = (map: MapName, [lon, lat]: LonLat): MapPoint => {
  const lambda = radians(fromCentre(map, lon));
  const phi = radians(lat);
  const phi2 = phi * phi;
  const phi4 = phi2 * phi2;
  const x = lambda * (0.8707 - 0.131979 * phi2 + phi4 * (-0.013791 + phi4 * (0.003971 * phi2 - 0.001529 * phi4)));
  const y = phi * (1.007226 + phi2 * (0.015085 + phi4 * (-0.044475 + 0.028874 * phi2 - 0.005916 * phi4)));
  return { x: worldSize.width / 2 + scale * x, y: worldSize.height / 2 - scale * y };
};

/** The whole map without the polar regions. */
const worldView: ViewBox = { x: 0, y: 12, width: worldSize.width, height: 428 };

const scale = worldSize.width / (2 * Math.PI * 0.8707);
const radians = (degrees: number) => (degrees * Math.PI) / 180;
const round = (value: number) => Math.round(value * 10) / 10;

/** Degrees east of the map's centre, −180 to 180. */
const fromCentre = (map: MapName, lon: number) => ((((lon - mapCentres[map] + 180) % 360) + 360) % 360) - 180;

const crossesEdge = (points: readonly LonLat[], map: MapName) =>
  points.some(([lon], i) => {
    const before = points[i - 1];
    return before !== undefined && Math.abs(fromCentre(map, lon) - fromCentre(map, before[0])) > 180;
  });

/** The line on the map, up to both edges where it crosses them. */
const trackOn = (map: MapName, points: readonly LonLat[]): MapPoint[] =>
  cutAtEdge(map, alongGreatCircles(points)).map((point) => projectPoint(map, point));

const cutAtEdge = (map: MapName, points: readonly LonLat[]): LonLat[] =>
  points.flatMap((point, i): LonLat[] => {
    const before = points[i - 1] ?? point;
    const [from, to] = [fromCentre(map, before[0]), fromCentre(map, point[0])];
    if (Math.abs(to - from) <= 180) return [point];
    const edge = from > 0 ? 180 : -180;
    const lat = before[1] + ((edge - from) / (to + 2 * edge - from)) * (point[1] - before[1]);
    // The edge itself is on both sides, so the cut is a little before and behind it.
    const offCentre = edge * 0.99999;
    return [[mapCentres[map] + offCentre, lat], [mapCentres[map] - offCentre, lat], point];
  });

/** Adds points so that long legs follow the great circle. */
const alongGreatCircles = (points: readonly LonLat[]): LonLat[] =>
  points.flatMap((point, i) => {
    const before = points[i - 1];
    return before ? [...between(before, point), point] : [point];
  });

const stepDegrees = 2;

const between = (from: LonLat, to: LonLat): LonLat[] => {
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

/** Minimum width of the view, so that short routes show enough coast to be recognised. */
const minWidth = 76;
/** Padding factors around the line: with room for labels and markers, and without. */
const paddingWithLabels = { x: 1.34, y: 1.5 };
const paddingWithoutLabels = { x: 1.12, y: 1.16 };

const viewAround = (track: readonly MapPoint[], padding: typeof paddingWithLabels): ViewBox => {
  const [xs, ys] = [track.map((point) => point.x), track.map((point) => point.y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const desiredWidth = Math.max(minWidth, (right - left) * padding.x, (bottom - top) * padding.y * aspect);
  const width = Math.min(worldSize.width, desiredWidth);
  const height = width / aspect;
  const clamp = (value: number, max: number) => Math.max(0, Math.min(max, value));
  return {
    x: round(clamp((left + right - width) / 2, worldSize.width - width)),
    y: round(clamp((top + bottom - height) / 2, worldSize.height - height)),
    width: round(width),
    height: round(height),
  };
};

/** A jump across most of the map means that the line crosses the edge and continues on the other side. */
const isJump = (from: MapPoint | undefined, to: MapPoint) => !from || Math.abs(from.x - to.x) > worldSize.width / 2;

const piecesOf = (track: readonly MapPoint[]): MapPoint[][] => {
  const pieces: MapPoint[][] = [];
  for (const [i, point] of track.entries()) {
    if (isJump(track[i - 1], point)) pieces.push([]);
    pieces.at(-1)?.push(point);
  }
  return pieces;
};

/** How far a simplified line may be from the exact one, in map units. About four nautical miles. */
const simplification = 0.2;

/** Douglas–Peucker. */
const simplified = (line: readonly MapPoint[]): MapPoint[] => {
  const [first, last] = [line[0], line[line.length - 1]];
  if (!first || !last || line.length <= 2) return [...line];
  const offsets = line.map((point) => distanceToSegment(point, first, last));
  const worst = Math.max(...offsets);
  if (worst <= simplification) return [first, last];
  const at = offsets.indexOf(worst);
  return [...simplified(line.slice(0, at + 1)).slice(0, -1), ...simplified(line.slice(at))];
};

const distanceToSegment = ({ x, y }: MapPoint, from: MapPoint, to: MapPoint): number => {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - from.x) * dx + (y - from.y) * dy) / length));
  return Math.hypot(x - from.x - share * dx, y - from.y - share * dy);
};

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
