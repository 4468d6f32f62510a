import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { type Page, type PageRequest, pageOf } from "../page.ts";
import type { RouteSummary } from "./browse.ts";
import { cargoTypes, freshnesses, serviceLevelNames } from "./enums.ts";
import { listedRoutes } from "./listed-routes.server.ts";
import {
  type FacetName,
  type Facets,
  type FacetValue,
  facetNames,
  orderOf,
  type RouteOrder,
  type RouteSearch,
  searchCursor,
} from "./search.ts";
import { indexedCatalogue } from "./search-index.server.ts";
import type { Found } from "./search-index.ts";
import type { Directory } from "./search-vocabulary.ts";

/**
 * A page of matching routes in the requested order.
 *
 * @throws invalid for a cursor of another list or order
 */
export const searchRoutes = async (
  ctx: Pick<Context, "db" | "clock">,
  { sort, ...search }: RouteSearch & { sort?: RouteOrder | undefined },
  page: PageRequest,
): Promise<Page<RouteSummary>> => {
  const order = orderOf({ q: search.q, sort });
  const after = placeAfter(page.cursor, order);
  const catalogue = await indexedCatalogue(ctx);
  const found = catalogue.find(search).page(order, page.limit + 1, after);
  const { rows, nextCursor } = pageOf(found, page.limit, ({ rank, name, id }) =>
    searchCursor.write([order, rank, name, id]),
  );
  const ids = rows.map(({ id }) => id);
  return { rows: await listedRoutes(ctx, catalogue, ids), nextCursor };
};

const placeAfter = (cursor: string | undefined, order: RouteOrder) => {
  const place = searchCursor.read(cursor);
  if (!place) return null;
  const [placeOrder, rank, name, id] = place;
  if (placeOrder !== order) throw invalid("cursor", "This cursor belongs to a different sort order");
  return { rank, name, id };
};

/**
 * Counts matching routes, and for each facet value the routes under all other filters. Values without routes are left
 * out unless they are selected.
 */
export const facetsOf = async (ctx: Pick<Context, "db" | "clock">, search: RouteSearch): Promise<NamedFacets> => {
  const { directory, find } = await indexedCatalogue(ctx);
  const found = find(search);
  const known = facetsOfFound.get(found) ?? namedFacets(directory, found, search);
  facetsOfFound.set(found, known);
  return known;
};

type NamedFacets = { total: number; facets: Facets };
const facetsOfFound = new WeakMap<Found, NamedFacets>();

const namedFacets = (directory: Directory, { total, facets }: Found, search: RouteSearch): NamedFacets => {
  const valuesOf = (facet: FacetName): FacetValue[] =>
    valuesIn(directory, facet)
      .map(({ code, name }) => ({
        code,
        name,
        routes: facets[facet].get(code) ?? 0,
        chosen: (search[facet] as readonly string[] | undefined)?.includes(code) ?? false,
      }))
      .filter(({ routes, chosen }) => routes > 0 || chosen);
  return { total, facets: Object.fromEntries(facetNames.map((facet) => [facet, valuesOf(facet)])) as Facets };
};

/** What the words of a search are taken for if some are misspelt: `roterdam` for "rotterdam". Null: none is. */
export const correctedSearch = async (ctx: Pick<Context, "db" | "clock">, q: string): Promise<string | null> =>
  (await indexedCatalogue(ctx)).index.correctionOf(q);

/** In order of name, or in that of the enum. */
const valuesIn = (directory: Directory, facet: FacetName): { code: string; name: string }[] => {
  const enumValues = (values: readonly string[]) => values.map((value) => ({ code: value, name: value }));
  const offered = (records: Directory["carriers" | "groups" | "lanes" | "regions"]) =>
    records.filter(({ isRetired }) => !isRetired);
  switch (facet) {
    case "region":
      return offered(directory.regions);
    case "trade_lane":
      return offered(directory.lanes);
    case "route_group":
      return offered(directory.groups);
    case "carrier":
      return offered(directory.carriers);
    case "cargo_type":
      return enumValues(cargoTypes);
    case "service_level":
      return enumValues(serviceLevelNames);
    case "freshness":
      return enumValues(freshnesses);
  }
};
