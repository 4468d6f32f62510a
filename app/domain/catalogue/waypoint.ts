export const waypointKinds = ["waypoint", "strait", "canal", "cape", "ocean", "river"] as const;

/** A point on a route's path. Named points appear in lists; the others only shape the line on the map. */
export type Waypoint = {
  name: string | null;
  kind: (typeof waypointKinds)[number];
  lat: number;
  lon: number;
  /** Nautical miles from the origin port. */
  distanceNm: number;
};
