import { facetNames, type RouteSearch } from "../catalogue/search.ts";

type SavedParts = Pick<RouteSearch, "q" | "origin" | "destination" | "port" | (typeof facetNames)[number]> & {
  sort?: string | undefined;
};

/**
 * A search as query parameters in canonical order: equal searches give equal texts. Empty if nothing narrows it; a sort
 * order alone does not.
 */
export const searchQuery = (search: SavedParts): string => {
  const { q, origin, destination, port, sort } = search;
  const narrowed = [
    ...Object.entries({ origin, destination, port, q }),
    ...facetNames.flatMap((name) => [...new Set(search[name] ?? [])].sort().map((value) => [name, value] as const)),
  ].filter((entry): entry is [string, string] => Boolean(entry[1]));
  if (narrowed.length === 0) return "";
  return new URLSearchParams([...narrowed, ...(sort ? [["sort", sort] as [string, string]] : [])]).toString();
};
