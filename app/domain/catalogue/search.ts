/** A catalogue search: words, facets and sort order. */
import { z } from "zod";
import { cursorId, cursorOf } from "../page.ts";
import { type RouteFilter, unlocode } from "./browse.ts";
import { cargoTypes, freshnesses, serviceLevelNames } from "./enums.ts";
import { searchText, searchWords } from "./search-words.ts";

/** The facets. Several values of one facet are alternatives. */
export const facetNames = [
  "region",
  "trade_lane",
  "route_group",
  "carrier",
  "cargo_type",
  "service_level",
  "freshness",
] as const;
export type FacetName = (typeof facetNames)[number];

export const routeOrders = ["relevance", "name", "transit", "distance", "price", "sailings"] as const;
export type RouteOrder = (typeof routeOrders)[number];

/** `RouteFilter` with several values per facet, and with a port at either end. */
export type RouteSearch = Omit<RouteFilter, FacetName> & {
  [Name in FacetName]?: NonNullable<RouteFilter[Name]>[] | undefined;
} & { port?: string | undefined };

/** Converts a filter of the API: one value per facet. */
export const asSearch = ({ origin, destination, is_sample, q, ...facets }: RouteFilter): RouteSearch => ({
  q,
  is_sample,
  origin,
  destination,
  ...Object.fromEntries(facetNames.map((name) => [name, facets[name] === undefined ? undefined : [facets[name]]])),
});

const codes = z.array(z.string().trim().min(1).max(60)).max(50).optional();

export const routeSearch = z.object({
  q: searchText.optional(),
  origin: unlocode.optional(),
  destination: unlocode.optional(),
  port: unlocode.optional(),
  region: codes,
  trade_lane: codes,
  route_group: codes,
  carrier: codes,
  cargo_type: z.array(z.enum(cargoTypes)).optional(),
  service_level: z.array(z.enum(serviceLevelNames)).optional(),
  freshness: z.array(z.enum(freshnesses)).optional(),
  sort: z.enum(routeOrders).optional(),
});

/** Best match first if there are words, otherwise by name. */
export const orderOf = ({ q, sort }: { q?: string | undefined; sort?: RouteOrder | undefined }): RouteOrder => {
  const searching = searchWords(q).length > 0;
  return sort === undefined || (sort === "relevance" && !searching) ? (searching ? "relevance" : "name") : sort;
};

/** Where a page ends: the sort order, and the sort key of the last row. */
export const searchCursor = cursorOf(
  z.tuple([
    z.enum(routeOrders),
    z.number(),
    z
      .string()
      .max(500)
      .regex(/^\P{Cc}*$/u),
    cursorId,
  ]),
);

export type FacetValue = { code: string; name: string; routes: number; chosen: boolean };
export type Facets = Record<FacetName, FacetValue[]>;
