/** A route's path as lines of [longitude, latitude], cut at the 180th meridian (RFC 7946, 3.1.9). */
type Point = { lat: number; lon: number };
type Position = [lon: number, lat: number];

export const routeLine = (origin: Point, waypoints: Point[], destination: Point): Position[][] => {
  const lines: Position[][] = [];
  let line: Position[] = [];
  let previous: Point | null = null;
  for (const point of [origin, ...waypoints, destination]) {
    if (previous && Math.abs(point.lon - previous.lon) > 180) {
      const edge = previous.lon > 0 ? 180 : -180;
      const lat = latitudeAt(previous, point, edge);
      lines.push([...line, [edge, lat]]);
      line = [[-edge, lat]];
    }
    line.push([point.lon, point.lat]);
    previous = point;
  }
  return [...lines, line];
};

/** The latitude at which the straight line between two points crosses the meridian. */
/**
 * A line for public maps: rounded to a tenth of a degree, without names and distances, which need a subscription. A
 * coarser line would cross capes and the shores of straits.
 */
export const approximately = (points: readonly Point[]): Point[] => {
  const tenth = (degrees: number) => Math.round(degrees * 10) / 10;
  return points.map(({ lat, lon }) => ({ lat: tenth(lat), lon: tenth(lon) }));
};

/** The latitude at which the straight line between two points crosses the meridian. */
const latitudeAt = (from: Point, to: Point, edge: number): number => {
  const toLon = to.lon + (edge > 0 ? 360 : -360);
  const share = (edge - from.lon) / (toLon - from.lon);
  return Math.round((from.lat + share * (to.lat - from.lat)) * 100) / 100;
};
