import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { invalid } from "../errors.ts";
import { type Page, type PageRequest, pageOf } from "../page.ts";
import { summariesOf } from "./browse.server.ts";
import type { RouteSummary } from "./browse.ts";
import { cargoTypes, freshnesses, serviceLevelNames } from "./enums.ts";
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
import * as queries from "./search-queries.server.ts";

/**
 * A page of matching routes in the requested order.
 *
 * @throws invalid for a cursor of another list or order
 */
export const searchRoutes = async (
  ctx: Pick<Context, "db" | "clock">,
  search: RouteSearch & { sort?: RouteOrder | undefined },
  page: PageRequest,
): Promise<Page<RouteSummary>> => {
  const order = orderOf(search);
  const found = await queries.searchRanked(ctx.db, search, {
    order,
    today: dayOf(ctx.clock.now()),
    limit: page.limit,
    after: placeAfter(page.cursor, order),
  });
  const { rows, nextCursor } = pageOf(found, page.limit, ({ rank, name, id }) =>
    searchCursor.write([order, rank, name, id]),
  );
  const summaries = new Map(
    (
      await summariesOf(
        ctx,
        rows.map(({ id }) => id),
      )
    ).map((route) => [route.id, route]),
  );
  return { rows: rows.flatMap(({ id }) => summaries.get(id) ?? []), nextCursor };
};

const placeAfter = (cursor: string | undefined, order: RouteOrder) => {
  const place = searchCursor.read(cursor);
  if (!place) return null;
  const [placeOrder, rank, name, id] = place;
  if (placeOrder !== order) throw invalid("cursor", "A cursor of another order");
  return { rank, name, id };
};

/**
 * Counts matching routes, and for each facet value the routes under all other filters. Values without routes are left
 * out unless they are selected.
 */
export const facetsOf = async (
  ctx: Pick<Context, "db" | "clock">,
  search: RouteSearch,
): Promise<{ total: number; facets: Facets }> => {
  const [counts, names] = await Promise.all([
    queries.countFacets(ctx.db, search, dayOf(ctx.clock.now())),
    queries.listFacetNames(ctx.db),
  ]);
  const routesOf = new Map(counts.map(({ facet, code, routes }) => [`${facet} ${code}`, routes]));
  const valuesOf = (facet: FacetName): FacetValue[] =>
    [...names.filter((named) => named.facet === facet), ...fixedValues(facet)]
      .map(({ code, name }) => ({
        code,
        name,
        routes: routesOf.get(`${facet} ${code}`) ?? 0,
        chosen: (search[facet] as readonly string[] | undefined)?.includes(code) ?? false,
      }))
      .filter(({ routes, chosen }) => routes > 0 || chosen);
  return {
    total: routesOf.get("all ") ?? 0,
    facets: Object.fromEntries(facetNames.map((facet) => [facet, valuesOf(facet)])) as Facets,
  };
};

const fixedFacets: Partial<Record<FacetName, readonly string[]>> = {
  cargo_type: cargoTypes,
  service_level: serviceLevelNames,
  freshness: freshnesses,
};

/** Enum values, which have no names in the database. */
const fixedValues = (facet: FacetName): { code: string; name: string }[] => {
  return (fixedFacets[facet] ?? []).map((word) => ({ code: word, name: word }));
};
