import { facetNames, type RouteSearch, routeSearch } from "#app/domain/catalogue/search.ts";
import { Refusal } from "#app/domain/errors.ts";
import { validate } from "#app/domain/input.ts";

type Read = {
  search: RouteSearch & ReturnType<typeof routeSearch.parse>;
  /** Why the query parameters are invalid; the search is empty then. */
  error: string | null;
};

/** Reads the search from a page's query parameters. */
export const readSearch = (params: URLSearchParams): Read => {
  const one = (name: string) => params.get(name)?.trim() || undefined;
  const facets = facetNames.map((name) => [name, params.getAll(name).filter((value) => value !== "")]);
  try {
    const search = validate(routeSearch, {
      q: one("q"),
      origin: one("origin"),
      destination: one("destination"),
      port: one("port"),
      sort: one("sort"),
      ...Object.fromEntries(facets),
    });
    return { search, error: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { search: {}, error: error.fields[0]?.message ?? error.message };
  }
};
