/**
 * The catalogue in memory, for search. A term is compared with the records that routes refer to, and a route's points are
 * looked up by its references, so that a search is one pass over arrays of numbers.
 */
import { groupBy } from "../group-by.ts";
import { countingSort } from "./counting-sort.ts";
import { cargoTypes } from "./enums.ts";
import type { RouteOrder, RouteSearch } from "./search.ts";
import { type Columns, columnsOf, type IndexedRoute, labelSearchOf, labelsOf, routeTextOf } from "./search-columns.ts";
import { type FacetCounts, filterOf } from "./search-filters.ts";
import { matcherOf, roomFor, type TermFits } from "./search-matches.ts";
import { portSearchOf } from "./search-ports.ts";
import { postingsOf } from "./search-postings.ts";
import { type Directory, type Fits, fitOfLabel, leastFit, type Vocabulary, vocabularyOf } from "./search-vocabulary.ts";
import { searchTerms, type Term } from "./search-words.ts";

/** A route's place in an order: by rank, then by name, then by id. */
export type Place = { rank: number; name: string; id: number };

/** What a search has found. */
export type Found = {
  total: number;
  /** Of each facet's values, under all other filters. Values without routes are left out. */
  facets: FacetCounts;
  /** Up to `limit` routes in this order, from the first after `after` on. */
  page(order: RouteOrder, limit: number, after: Place | null): Place[];
  ids(): number[];
};

export type SearchIndex = ReturnType<typeof searchIndexOf>;

export const searchIndexOf = (directory: Directory, unsorted: Iterable<IndexedRoute>) => {
  const routes = [...unsorted].sort(byNameThenId);
  const { ports } = directory;
  const columns = columnsOf(directory, routes);
  const vocabulary = keptVocabularyOf(directory);
  const { labels, label } = labelsOf(directory, routes, columns);
  const fitsOfLabels = labelSearchOf(labels, fitOfLabel);
  const rowByCode = new Map(routes.map((route, row) => [routeTextOf(route).code, row]));
  const allRows = Uint32Array.from(routes.keys());
  const known = {
    isCode: (text: string) => vocabulary.isCode(text) || rowByCode.has(text),
    isPhrase: vocabulary.isPhrase,
  };
  const portsByCode = groupBy(
    ports.flatMap(({ unlocode, altUnlocodes }, port) => [unlocode, ...altUnlocodes].map((code) => ({ code, port }))),
    ({ code }) => code,
  );
  /** Marks the ports that have a code. CNSHA and CNSGH are the same port. */
  const portsWith = (code: string): Uint8Array => {
    const marks = new Uint8Array(ports.length);
    for (const { port } of portsByCode.get(code) ?? []) marks[port] = 1;
    return marks;
  };

  /** How well records match a term. If none does, the term is treated as misspelt. */
  const fitsOf = (term: Term): TermFits => {
    const { exact, isKnown, labels, row } = exactFitsOf(term);
    const { ports, ...others } = isKnown ? exact : vocabulary.fitsOfMisspelt(term.text);
    return { ports, kinds: fitsOfKinds(columns, others), labels, row, least: leastFit(Object.values(exact)) };
  };

  const exactFitsOf = ({ text }: Term) => {
    const ofLabels = fitsOfLabels(text);
    const row = rowByCode.get(text) ?? -1;
    const exact = vocabulary.fitsOf(text);
    const isKnown = row !== -1 || ofLabels !== null || Object.values(exact).some((each) => each.some((fit) => fit > 0));
    return { exact, labels: ofLabels, row, isKnown };
  };

  const indexed = {
    columns,
    label,
    allRows,
    postings: postingsOf(allRows, columns, { ports: ports.length, label, labels: labels.length }),
    room: roomFor(routes.length),
  };
  const matchesOf = matcherOf(indexed, fitsOf);
  const filtered = filterOf(indexed, portsWith);

  const ranks = new Map<RouteOrder, Uint32Array>();
  const ranksIn = (order: Exclude<RouteOrder, "relevance">): Uint32Array => {
    const kept = ranks.get(order) ?? denseRanksOf(routes.map(rankOf[order]));
    ranks.set(order, kept);
    return kept;
  };

  const search = (wanted: RouteSearch): Found => {
    const terms = searchTerms(wanted.q, known);
    const { rows, points, facets } = filtered(wanted, terms.length > 0 ? matchesOf(terms) : null);
    return foundOf(routes, rows, facets, points, ranksIn);
  };

  /** What a search with misspelt words is taken for; null: every word is known, or one cannot be corrected. */
  const correctionOf = (q: string): string | null => {
    const terms = searchTerms(q, known);
    const words = terms.map((term) => (exactFitsOf(term).isKnown ? term.text : vocabulary.correctionOf(term.text)));
    const isCorrected = words.some((word, index) => word !== terms[index]?.text);
    return isCorrected && words.every((word) => word !== null) ? words.join(" ") : null;
  };

  return {
    search,
    correctionOf,
    ports: portSearchOf({
      ports,
      vocabulary,
      known,
      portsWith,
      origin: columns.origin,
      destination: columns.destination,
    }),
  };
};

/** Kept with the directory, which most changes of routes leave as it is. */
const keptVocabularyOf = (directory: Directory): Vocabulary => {
  const kept = vocabularies.get(directory) ?? vocabularyOf(directory, cargoTypes);
  vocabularies.set(directory, kept);
  return kept;
};
const vocabularies = new WeakMap<Directory, Vocabulary>();

/** The best match of each kind's carrier, group and cargo. */
const fitsOfKinds = ({ kinds, facets }: Columns, { carriers, groups, cargo }: Omit<Fits, "ports">): Uint16Array => {
  const [carrier, group, type] = [facets.carrier.ofKind, facets.route_group.ofKind, facets.cargo_type.ofKind];
  const fits = new Uint16Array(kinds.length);
  for (let each = 0; each < fits.length; each++) {
    fits[each] = Math.max(
      carriers[carrier[each] as number] as number,
      groups[group[each] as number] as number,
      cargo[type[each] as number] as number,
    );
  }
  return fits;
};

const foundOf = (
  routes: readonly IndexedRoute[],
  rows: Uint32Array,
  facets: FacetCounts,
  points: Uint16Array | null,
  ranksIn: (order: Exclude<RouteOrder, "relevance">) => Uint32Array,
): Found => {
  // Rows are in order of name, so their numbers ascend.
  const pointsOf = (row: number): number => points?.[firstWhere(rows, (other) => other >= row)] ?? 0;
  const rankIn = (order: RouteOrder, row: number): number =>
    order === "relevance" ? -pointsOf(row) : rankOf[order](routes[row] as IndexedRoute);
  const sortedRows = new Map<RouteOrder, Uint32Array>([["name", rows]]);
  const inOrder = (order: RouteOrder): Uint32Array => {
    const sorted = sortedRows.get(order) ?? sort(order);
    sortedRows.set(order, sorted);
    return sorted;
  };
  const sort = (order: RouteOrder): Uint32Array => {
    if (order !== "relevance") return sortedBy(rows, ranksIn(order));
    if (points === null) return rows;
    // Backwards twice, so that the best come first and equals stay in order of name.
    const places = new Uint32Array(rows.length);
    for (let at = 0; at < places.length; at++) places[at] = places.length - 1 - at;
    const sorted = sortedBy(places, points).reverse();
    for (let at = 0; at < sorted.length; at++) sorted[at] = rows[sorted[at] as number] as number;
    return sorted;
  };
  const placeOf = (order: RouteOrder, row: number): Place => {
    const { id, name } = routes[row] as IndexedRoute;
    return { rank: rankIn(order, row), name, id };
  };
  return {
    total: rows.length,
    facets,
    page: (order, limit, after) => {
      const sorted = inOrder(order);
      const start = after ? firstWhere(sorted, (row) => comparePlaces(placeOf(order, row), after) > 0) : 0;
      return Array.from(sorted.subarray(start, start + limit), (row) => placeOf(order, row));
    },
    ids: () => Array.from(rows, (row) => (routes[row] as IndexedRoute).id),
  };
};

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const byNameThenId = (a: { name: string; id: number }, b: { name: string; id: number }): number =>
  compareText(a.name, b.name) || a.id - b.id;

const comparePlaces = (a: Place, b: Place): number => a.rank - b.rank || byNameThenId(a, b);

const rankOf = {
  name: () => 0,
  transit: ({ transitDays }) => transitDays ?? Number.MAX_SAFE_INTEGER,
  distance: ({ distanceNm }) => distanceNm,
  price: ({ monthlyCents }) => monthlyCents ?? Number.MAX_SAFE_INTEGER,
  sailings: ({ sailingsPerWeek }) => -sailingsPerWeek,
} as const satisfies Record<Exclude<RouteOrder, "relevance">, (route: IndexedRoute) => number>;

/** The place of each value among the distinct ones, from the lowest on. */
const denseRanksOf = (values: readonly number[]): Uint32Array => {
  const distinct = Float64Array.from(new Set(values)).sort();
  const rankByValue = new Map(Array.from(distinct, (value, rank) => [value, rank]));
  return Uint32Array.from(values, (value) => rankByValue.get(value) ?? 0);
};

const sortedBy = (rows: Uint32Array, ranks: Uint16Array | Uint32Array): Uint32Array => {
  let highest = 0;
  for (let at = 0; at < rows.length; at++) highest = Math.max(highest, ranks[rows[at] as number] as number);
  return countingSort(rows, ranks, highest + 1).sorted;
};

/** The first index from which on the rows fulfil a condition, by bisection. */
const firstWhere = (rows: Uint32Array, condition: (row: number) => boolean): number => {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (condition(rows[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return low;
};
