/** Applies the filters of a search and counts its facets. */
import { type FacetName, facetNames, type RouteSearch } from "./search.ts";
import type { Columns, FacetColumn } from "./search-columns.ts";
import type { Matches } from "./search-matches.ts";
import { type Postings, rowsOf, sizeOf } from "./search-postings.ts";

export type FacetCounts = Record<FacetName, Map<string, number>>;

type Indexed = { columns: Columns; allRows: Uint32Array; postings: Postings; room: Matches };

/** Without words to search for there are no points. */
type Filtered = { rows: Uint32Array; points: Uint16Array | null; facets: FacetCounts };

/**
 * The routes that match all filters, and for each facet the counts of those that match all other filters. Routes are counted by
 * kind: a kind that misses no filter counts everywhere, one that misses the filter of one facet counts for this one.
 */
export const filterOf = (
  { columns, allRows, postings, room }: Indexed,
  portsWith: (code: string) => Uint8Array,
): ((wanted: RouteSearch, matching: Matches | null) => Filtered) => {
  const { origin, destination, sample, kind, kinds, facets } = columns;
  const routesOfEachKind = Uint32Array.from(kinds, (_, each) => sizeOf(postings.kind, each));
  const allKinds = [...kinds.keys()];

  /** Kinds alone decide: nothing has to be looked at row by row. */
  const byKinds = (misses: Uint8Array): Filtered => {
    const fits = Uint16Array.from(misses, (missed) => (missed === 0 ? 1 : 0));
    const rows = fits.includes(0)
      ? rowsOf([{ postings: postings.kind, points: fits }], 1, -1, room.rows).slice()
      : allRows;
    return { rows, points: null, facets: countsOfFacets(facets, allKinds, routesOfEachKind, misses) };
  };

  const byRows = (wanted: RouteSearch, { rows, points }: MatchesIfAny, misses: Uint8Array): Filtered => {
    const marked = (code: string | undefined) => (code === undefined ? null : portsWith(code));
    const [from, to, either] = [marked(wanted.origin), marked(wanted.destination), marked(wanted.port)];
    const wantedSample = wanted.is_sample === undefined ? null : wanted.is_sample === "true" ? 1 : 0;
    const routesOfKind = new Uint32Array(kinds.length);
    const present: number[] = [];
    let total = 0;
    for (let at = 0; at < rows.length; at++) {
      const row = rows[at] as number;
      if (from !== null && from[origin[row] as number] === 0) continue;
      if (to !== null && to[destination[row] as number] === 0) continue;
      if (either !== null && either[origin[row] as number] === 0 && either[destination[row] as number] === 0) continue;
      if (wantedSample !== null && sample[row] !== wantedSample) continue;
      const ofRow = kind[row] as number;
      if (routesOfKind[ofRow] === 0) present.push(ofRow);
      routesOfKind[ofRow] = (routesOfKind[ofRow] as number) + 1;
      if (misses[ofRow] !== 0) continue;
      if (points !== null) room.points[total] = points[at] as number;
      room.rows[total++] = row;
    }
    return {
      rows: room.rows.slice(0, total),
      points: points && room.points.slice(0, total),
      facets: countsOfFacets(facets, present, routesOfKind, misses),
    };
  };

  return (wanted, matching) => {
    const misses = missesOf(facets, kinds.length, wanted);
    const { origin: from, destination: to, port, is_sample } = wanted;
    const isByKinds = matching === null && [from, to, port, is_sample].every((filter) => filter === undefined);
    return isByKinds ? byKinds(misses) : byRows(wanted, matching ?? { rows: allRows, points: null }, misses);
  };
};

type MatchesIfAny = Pick<Filtered, "rows" | "points">;

const countsOfFacets = (
  facets: Columns["facets"],
  kinds: readonly number[],
  routesOfKind: Uint32Array,
  misses: Uint8Array,
): FacetCounts => {
  const counts = facetNames.map((name, place) => {
    const { ofKind } = facets[name];
    const tally = tallyOf(facets[name]);
    for (const each of kinds) {
      if (((misses[each] as number) & ~(1 << place)) !== 0) continue;
      const value = ofKind[each] as number;
      tally[value] = (tally[value] as number) + (routesOfKind[each] as number);
    }
    return [name, countsOf(facets[name], tally)];
  });
  return Object.fromEntries(counts);
};

/** The facets whose filter each kind misses, as bits in the order of `facetNames`. */
const missesOf = (facets: Columns["facets"], kinds: number, wanted: RouteSearch): Uint8Array => {
  const misses = new Uint8Array(kinds);
  facetNames.forEach((name, place) => {
    const values: readonly string[] = wanted[name] ?? [];
    if (values.length === 0) return;
    const fits = fitsOfChosen(facets[name], values);
    facets[name].ofKind.forEach((value, each) => {
      if (fits[value] === 0) misses[each] = (misses[each] as number) | (1 << place);
    });
  });
  return misses;
};

/** How many different values a column can hold. */
const valuesOf = ({ codes, isSet }: FacetColumn): number => (isSet ? 1 << codes.length : codes.length);

const tallyOf = (facet: FacetColumn): Uint32Array => new Uint32Array(valuesOf(facet));

/** Marks the values of a column that have one of the chosen codes. */
const fitsOfChosen = (facet: FacetColumn, chosen: readonly string[]): Uint8Array => {
  const { codes, isSet } = facet;
  const fits = (value: number) =>
    isSet
      ? codes.some((code, bit) => (value >> bit) & 1 && chosen.includes(code))
      : chosen.includes(codes[value] ?? "");
  return Uint8Array.from({ length: valuesOf(facet) }, (_, value) => (fits(value) ? 1 : 0));
};

/** Routes by code, from a tally by value. */
const countsOf = ({ codes, isSet }: FacetColumn, tally: Uint32Array): Map<string, number> => {
  const routesWith = (index: number): number =>
    isSet ? tally.reduce((sum, routes, bits) => ((bits >> index) & 1 ? sum + routes : sum), 0) : (tally[index] ?? 0);
  return new Map(codes.map((code, index) => [code, routesWith(index)] as const).filter(([, routes]) => routes > 0));
};
