/** Filters and results of a catalogue search. @spec Endpoints (GET /route-access/all-routes) */
import { z } from "zod";
import { cursorId, cursorOf } from "../page.ts";
import { cargoTypes, freshnesses, serviceLevelNames } from "./enums.ts";
import type { DataAge } from "./freshness.ts";
import type { PricedPeriod } from "./priced-period.ts";
import type { CargoType, ServiceLevelName } from "./route.ts";
import { maxSearchWords, searchText } from "./search-words.ts";

export type Named = { id: number; code: string; name: string };
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

/** Filters are combined with "and". Every word of `q` must occur in codes, names, ports, countries or carriers. */
export const routeFilter = z.object({
  origin: unlocode.optional().meta({ description: "UN/LOCODE of the origin port.", example: "CNSHA" }),
  destination: unlocode.optional().meta({ description: "UN/LOCODE of the destination port.", example: "NLRTM" }),
  region: codeFilter("region", "EAS"),
  trade_lane: codeFilter("trade lane", "EAS-NEU"),
  route_group: codeFilter("route group", "EAS-NEU-C-CN"),
  carrier: codeFilter("carrier", "PEL9"),
  cargo_type: z.enum(cargoTypes).optional().meta({ description: "What the route carries.", example: "container" }),
  service_level: z
    .enum(serviceLevelNames)
    .optional()
    .meta({ description: "A level that the route offers.", example: "standard" }),
  freshness: z
    .enum(freshnesses)
    .optional()
    .meta({ description: "How often the data of a period on sale is renewed.", example: "daily" }),
  q: searchText.optional().meta({
    description: `Words to search for, ${maxSearchWords} at most; each has to be found.`,
    example: "shanghai rotterdam",
  }),
});
export type RouteFilter = z.infer<typeof routeFilter>;

/** Routes are listed by name. */
export const routeCursor = cursorOf(
  z.tuple([
    z
      .string()
      .max(500)
      .regex(/^\P{Cc}*$/u),
    cursorId,
  ]),
);
