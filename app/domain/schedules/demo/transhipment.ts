/** Where a demo route with a transhipment changes vessels. */

type Position = { lat: number; lon: number };

/** Large ports that live on transhipment, by UN/LOCODE. */
export const transhipmentHubs = [
  "AEJEA", "CNSHA", "COCTG", "EGPSE", "ESALG", "HKHKG", "JMKIN", "KRPUS", "LKCMB", "MAPTM", "MTMAR", "MYPKG", "MYTPP",
  "NLRTM", "OMSLL", "PAMIT", "SAJED", "SGSIN", "TWKHH", "ZADUR",
] as const; // biome-ignore format: one code a line helps nobody

export type Way = {
  origin: Position;
  destination: Position;
  distanceNm: number;
  waypoints: readonly (Position & { distanceNm: number })[];
};

/**
 * The hub nearest to the way, and how much of the way is behind the vessel there. A hub close to
 * either end counts as further away, since a transhipment there saves little.
 */
export const transhipmentOn = <Hub extends Position>(
  { origin, destination, distanceNm, waypoints }: Way,
  hubs: readonly Hub[],
): { hub: Hub; share: number } | null => {
  const points = [{ ...origin, distanceNm: 0 }, ...waypoints, { ...destination, distanceNm }];
  const candidates = hubs.map((hub) => {
    const nearest = points
      .map((point) => ({ share: point.distanceNm / distanceNm, away: degreesBetween(hub, point) }))
      .reduce((best, each) => (each.away < best.away ? each : best));
    const isAtAnEnd = nearest.share < leastShare || nearest.share > 1 - leastShare;
    return { hub, ...nearest, rank: nearest.away + (isAtAnEnd ? extraDegreesAtAnEnd : 0) };
  });
  const [best] = candidates.sort((a, b) => a.rank - b.rank);
  return best ? { hub: best.hub, share: Math.min(1 - leastShare, Math.max(leastShare, best.share)) } : null;
};

const leastShare = 0.12;
const extraDegreesAtAnEnd = 15;

/** Roughly, which is enough to tell hubs apart. */
const degreesBetween = (a: Position, b: Position): number => {
  const east = ((((a.lon - b.lon + 180) % 360) + 360) % 360) - 180;
  return Math.hypot(a.lat - b.lat, east * Math.cos((((a.lat + b.lat) / 2) * Math.PI) / 180));
};
