import type { RouteSummary } from "../catalogue/browse.ts";
import { currency } from "../money.ts";
import { monthlyPriceCents } from "../pricing/quote.ts";
import type { ExportColumn } from "./table.ts";

/** Several values of a cell. */
const listed = (values: readonly string[]): string => [...new Set(values)].join("|");

/** The public catalogue, one row for each route. */
export const catalogueColumns: ExportColumn<RouteSummary>[] = [
  { name: "id", kind: "integer", value: ({ id }) => id },
  { name: "code", kind: "text", value: ({ code }) => code },
  { name: "name", kind: "text", value: ({ name }) => name },
  { name: "cargo_type", kind: "text", value: ({ cargoType }) => cargoType },
  { name: "carrier_code", kind: "text", value: ({ carrier }) => carrier.code },
  { name: "carrier_name", kind: "text", value: ({ carrier }) => carrier.name },
  { name: "region_code", kind: "text", value: ({ region }) => region.code },
  { name: "trade_lane_code", kind: "text", value: ({ tradeLane }) => tradeLane.code },
  { name: "trade_lane_name", kind: "text", value: ({ tradeLane }) => tradeLane.name },
  { name: "route_group_code", kind: "text", value: ({ routeGroup }) => routeGroup.code },
  { name: "origin_unlocode", kind: "text", value: ({ origin }) => origin.unlocode },
  { name: "origin_name", kind: "text", value: ({ origin }) => origin.name },
  { name: "origin_country_code", kind: "text", value: ({ origin }) => origin.countryCode },
  { name: "destination_unlocode", kind: "text", value: ({ destination }) => destination.unlocode },
  { name: "destination_name", kind: "text", value: ({ destination }) => destination.name },
  { name: "destination_country_code", kind: "text", value: ({ destination }) => destination.countryCode },
  { name: "distance_nm", kind: "integer", value: ({ distanceNm }) => distanceNm },
  { name: "sailings_per_week", kind: "decimal", value: ({ sailingsPerWeek }) => sailingsPerWeek },
  { name: "service_levels", kind: "text", value: ({ serviceLevels }) => listed(serviceLevels) },
  { name: "transit_days_min", kind: "integer", value: ({ transitDays }) => transitDays.min },
  { name: "transit_days_max", kind: "integer", value: ({ transitDays }) => transitDays.max },
  { name: "freshness", kind: "text", value: ({ periods }) => listed(periods.map(({ freshness }) => freshness)) },
  {
    name: "monthly_from_cents",
    kind: "cents",
    value: ({ periods }) => (periods.length === 0 ? null : Math.min(...periods.map(monthlyPriceCents))),
  },
  { name: "currency", kind: "text", value: () => currency },
];
