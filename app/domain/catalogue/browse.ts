/** Filters and results of a catalogue search. @spec Endpoints (GET /route-access/all-routes) */
import { z } from "zod";
import { groupBy } from "../group-by.ts";
import { cargoTypes, freshnesses, serviceLevelNames } from "./enums.ts";
import type { DataAge } from "./freshness.ts";
import type { PricedPeriod } from "./priced-period.ts";
import type { CargoType, ServiceLevelName } from "./route.ts";
import { maxSearchWords, searchText } from "./search-words.ts";

export type Named = { id: number; code: string; name: string };
/** A route as lists name it. Carrier and cargo type tell routes between the same ports apart. */
export type RouteLabel = Named & { cargoType: CargoType; carrier: string; tradeLane: Named };
export type PortSummary = {
  unlocode: string;
  /** Other codes of the same port. */
  altUnlocodes: string[];
  name: string;
  countryCode: string;
  country: string;
  lat: number;
  lon: number;
  /** IANA time zone. */
  timezone: string;
};

/** The public data of a route. */
export type RouteSummary = {
  id: number;
  code: string;
  name: string;
  cargoType: CargoType;
  carrier: Named;
  region: Named;
  tradeLane: Named;
  routeGroup: Named;
  origin: PortSummary;
  destination: PortSummary;
  distanceNm: number;
  serviceLevels: ServiceLevelName[];
  /** Indicative: of the fastest and the slowest service level. */
  transitDays: { min: number; max: number };
  sailingsPerWeek: number;
  /** Its data is open to everybody. It is not sold. */
  isSample: boolean;
  /** Those on sale. */
  periods: (PricedPeriod & DataAge)[];
};

export const unlocode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}[A-Z0-9]{3}$/, "A UN/LOCODE has five characters, like CNSHA");

/** A filter by the code of a catalogue record. */
export const codeFilter = (what: string, example: string) =>
  z
    .string()
    .trim()
    .min(1)
    .max(60)
    .optional()
    .meta({ description: `Code of the ${what}.`, example });

/** Filters are combined with "and". Every word of `q` must match the route: its codes, name, ports, countries, lane or carrier. */
export const routeFilter = z.object({
  origin: unlocode.optional().meta({ description: "UN/LOCODE of the origin port.", example: "CNSHA" }),
  destination: unlocode.optional().meta({ description: "UN/LOCODE of the destination port.", example: "NLRTM" }),
  region: codeFilter("region", "EAS"),
  trade_lane: codeFilter("trade lane", "EAS-NEU"),
  route_group: codeFilter("route group", "EAS-NEU-C-CN"),
  carrier: codeFilter("carrier", "PEL9"),
  cargo_type: z
    .enum(cargoTypes)
    .optional()
    .meta({ description: "Only routes of this cargo type.", example: "container" }),
  service_level: z
    .enum(serviceLevelNames)
    .optional()
    .meta({ description: "Only routes with this service level.", example: "standard" }),
  freshness: z
    .enum(freshnesses)
    .optional()
    .meta({ description: "Only routes with a period on sale of this freshness.", example: "daily" }),
  is_sample: z
    .enum(["true", "false"])
    .optional()
    .meta({ description: "Whether the route is a sample, which every account can read.", example: "true" }),
  q: searchText.optional().meta({
    description: `Words to search for, at most ${maxSearchWords}. All must match. Finds codes, names and aliases of ports, countries, regions, trade lanes and carriers, beginnings of words, and words with typing errors.`,
    example: "shanghai rotterdam",
  }),
});
export type RouteFilter = z.infer<typeof routeFilter>;

type Bare = Omit<RouteSummary, "serviceLevels" | "transitDays" | "periods">;

/** Puts routes together with their service levels and periods, each in the given order. */
export const withLevelsAndPeriods = <OfRoute extends { routeId: number }>(
  rows: readonly Bare[],
  levels: readonly { routeId: number; level: ServiceLevelName; transitDays: number }[],
  periods: readonly OfRoute[],
) => {
  const levelsByRoute = groupBy(levels, ({ routeId }) => routeId);
  const periodsByRoute = groupBy(periods, ({ routeId }) => routeId);
  return rows.map((row) => {
    const own = levelsByRoute.get(row.id) ?? [];
    const days = own.map(({ transitDays }) => transitDays);
    return {
      ...row,
      serviceLevels: own.map(({ level }) => level),
      transitDays: { min: Math.min(...days), max: Math.max(...days) },
      periods: periodsByRoute.get(row.id) ?? [],
    };
  });
};
