/** The nouns of the catalogue that more than one file speaks of. @spec What the service does */

export const cargoTypes = ["container", "bulk", "ro_ro", "break_bulk"] as const;
export type CargoType = (typeof cargoTypes)[number];

export const serviceLevelNames = ["express", "standard", "economy"] as const;
export type ServiceLevelName = (typeof serviceLevelNames)[number];

export const freshnesses = ["real_time", "daily", "weekly"] as const;
export type Freshness = (typeof freshnesses)[number];

export const bookingStatuses = ["open", "limited", "full", "closed"] as const;
export type BookingStatus = (typeof bookingStatuses)[number];

export const reportTypes = ["rate", "capacity", "schedule", "performance"] as const;
export type ReportType = (typeof reportTypes)[number];

/** What a capacity figure counts, by cargo type. */
export const capacityUnit = {
  container: "TEU",
  bulk: "tonnes_dwt",
  ro_ro: "lane_metres",
  break_bulk: "freight_tonnes",
} as const satisfies Record<CargoType, string>;

/** A point on the way. Named ones are shown in lists; the others only bend the line on the map. */
export type Waypoint = {
  name: string | null;
  kind: "waypoint" | "strait" | "canal" | "cape" | "ocean" | "river";
  lat: number;
  lon: number;
  /** Nautical miles from the origin port. */
  distanceNm: number;
};
