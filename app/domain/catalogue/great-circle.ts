type Position = { lat: number; lon: number };

const earthRadiusNm = 3440.065;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The shortest distance over the sphere, in nautical miles. No ship sails less. */
export const greatCircleNm = (a: Position, b: Position): number => {
  const haversine =
    Math.sin(radians(b.lat - a.lat) / 2) ** 2 +
    Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(radians(b.lon - a.lon) / 2) ** 2;
  return 2 * earthRadiusNm * Math.asin(Math.min(1, Math.sqrt(haversine)));
};
