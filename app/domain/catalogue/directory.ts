/** Lists of the catalogue's records for machines: regions, trade lanes, route groups, ports and carriers. */
import { z } from "zod";
import { cursorOf } from "../page.ts";
import { codeFilter, type Named, type PortSummary } from "./browse.ts";
import { cargoTypes } from "./enums.ts";
import type { CargoType } from "./route.ts";
import { maxSearchWords, searchText } from "./search-words.ts";

/** A port, with the numbers of routes that begin and end there. */
export type PortRecord = PortSummary & {
  id: number;
  region: Named;
  cargoTypes: CargoType[];
  departingRoutes: number;
  arrivingRoutes: number;
};
export type CarrierRecord = Named & { cargoTypes: CargoType[]; routes: number };

const cargoType = (what: string) =>
  z
    .enum(cargoTypes)
    .optional()
    .meta({ description: `Only ${what}.`, example: "container" });
const words = (where: string) =>
  searchText.optional().meta({
    description: `Words to search for in ${where}, at most ${maxSearchWords}. All must match.`,
  });

export const regionFilter = z.object({ cargo_type: cargoType("regions with trade lanes for this cargo") });

const laneFilter = {
  region: codeFilter("region that the lane belongs to", "EAS"),
  origin_region: codeFilter("region where the lane begins", "EAS"),
  destination_region: codeFilter("region where the lane ends", "NEU"),
};
export const tradeLaneFilter = z.object({
  ...laneFilter,
  cargo_type: cargoType("trade lanes with route groups for this cargo"),
});
export const routeGroupFilter = z.object({
  ...laneFilter,
  trade_lane: codeFilter("trade lane", "EAS-NEU"),
  cargo_type: cargoType("route groups for this cargo"),
});
export const portFilter = z.object({
  region: codeFilter("region", "EAS"),
  country_code: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, "A country code has two letters, like CN")
    .optional()
    .meta({ description: "ISO 3166-1 alpha-2.", example: "CN" }),
  cargo_type: cargoType("ports that handle this cargo"),
  q: words("codes (alternate codes included), names, aliases, countries and regions, with typing errors").meta({
    example: "shanghai",
  }),
});
export const carrierFilter = z.object({
  cargo_type: cargoType("carriers of this cargo"),
  q: words("codes and names").meta({ example: "pelorin" }),
});

export type RegionFilter = z.infer<typeof regionFilter>;
export type TradeLaneFilter = z.infer<typeof tradeLaneFilter>;
export type RouteGroupFilter = z.infer<typeof routeGroupFilter>;
export type PortFilter = z.infer<typeof portFilter>;
export type CarrierFilter = z.infer<typeof carrierFilter>;

export type DirectoryList = "regions" | "trade_lanes" | "route_groups" | "ports" | "carriers";

/** The lists are ordered by code, which is unique. */
export const directoryCursor = (list: DirectoryList) =>
  cursorOf(
    z.tuple([
      z.literal(list),
      z
        .string()
        .max(100)
        .regex(/^\P{Cc}*$/u),
    ]),
  );
