/** Routes and rates: whole files are planned in memory (`planned.server.ts`), so their rows are staged as they are. */
import type { ImportFormat, StagedRow } from "./kind.ts";

const asTheyAre = {
  syntax: "csv",
  staging: { cells: "jsonb" },
  parseRow: (cells): StagedRow => ({ cells }),
} as const satisfies Partial<ImportFormat>;

export const routes = {
  ...asTheyAre,
  columns: {
    required: [
      "code",
      "name",
      "cargo_type",
      "carrier_code",
      "trade_lane_code",
      "route_group_code",
      "origin_unlocode",
      "destination_unlocode",
      "distance_nm",
      "service_level",
      "transit_time_days",
      "sailings_per_week",
      "departure_weekdays",
      "data_freshness",
    ],
    optional: ["carrier_name", "via_unlocodes", "status"],
  },
  template: "routes.csv",
  about: "A line for each service level of each route; a route's lines are all its levels. New routes open for sale.",
} as const satisfies ImportFormat;

export const rates = {
  ...asTheyAre,
  columns: {
    required: ["route_code", "valid_from", "charge_type", "charge_code", "amount", "currency", "basis"],
    optional: ["service_level", "valid_to", "equipment_type"],
  },
  template: "rates.csv",
  about:
    "A line for each base rate and surcharge. One from the same day is replaced, an older one ends the day before.",
} as const satisfies ImportFormat;
