/** Routes as columns of numbers: references are indexes into the lists of the directory, sets of enum values are bits. */
import { rememberFor } from "../../platform/remember.ts";
import { cargoTypes, freshnesses, serviceLevelNames } from "./enums.ts";
import type { CargoType } from "./route.ts";
import type { FacetName } from "./search.ts";
import type { Directory } from "./search-vocabulary.ts";
import { plain, wordsOf } from "./search-words.ts";

/** What the search needs of a route. */
export type IndexedRoute = {
  id: number;
  code: string;
  name: string;
  groupId: number;
  carrierId: number;
  cargoType: CargoType;
  originId: number;
  destinationId: number;
  distanceNm: number;
  sailingsPerWeek: number;
  isSample: boolean;
  /** Bits in the order of `serviceLevelNames`. */
  levels: number;
  /** Of the fastest level. Null: it has none. */
  transitDays: number | null;
  /** Of the periods on sale. Bits in the order of `freshnesses`. */
  freshnesses: number;
  /** The lowest monthly price. Null: it is not on sale. */
  monthlyCents: number | null;
};

/** All of one kind: the loops over columns of different kinds are several times as slow. */
export type Column = Uint32Array;

export type FacetColumn = {
  /** The value of each kind. */
  ofKind: Column;
  /** The codes of the values: of the records in the directory, or of the bits. */
  codes: readonly string[];
  /** Whether a route can have several values. */
  isSet: boolean;
};

export type Columns = ReturnType<typeof columnsOf>;

export const columnsOf = (directory: Directory, routes: readonly IndexedRoute[]) => {
  const { regions, lanes, groups, carriers, ports } = directory;
  const referenceColumn = (records: readonly { id: number }[], idOf: (route: IndexedRoute) => number) => {
    const indexById = new Map(records.map(({ id }, index) => [id, index]));
    return Uint32Array.from(routes, (route) => indexById.get(idOf(route)) ?? 0);
  };
  const group = referenceColumn(groups, ({ groupId }) => groupId);
  const carrier = referenceColumn(carriers, ({ carrierId }) => carrierId);
  const origin = referenceColumn(ports, ({ originId }) => originId);
  const destination = referenceColumn(ports, ({ destinationId }) => destinationId);
  const cargo = Uint32Array.from(routes, ({ cargoType }) => cargoTypes.indexOf(cargoType));
  const levels = Uint32Array.from(routes, (route) => route.levels);
  const fresh = Uint32Array.from(routes, (route) => route.freshnesses);
  const { kind, kinds } = kindsOf({ carrier, group, cargo, levels, fresh });
  const sample = Uint32Array.from(routes, ({ isSample }) => (isSample ? 1 : 0));

  const indexOf = (records: readonly { id: number }[]) => new Map(records.map(({ id }, index) => [id, index]));
  const [laneIndex, regionIndex] = [indexOf(lanes), indexOf(regions)];
  const laneOfGroup = groups.map(({ laneId }) => laneIndex.get(laneId) ?? 0);
  const regionOfLane = lanes.map(({ regionId }) => regionIndex.get(regionId) ?? 0);
  const ofKinds = (value: (kind: Kind) => number | undefined) => Uint32Array.from(kinds, (each) => value(each) ?? 0);
  const laneOf = (each: Kind) => laneOfGroup[each.group] ?? 0;

  const codesOf = (records: readonly { code: string }[]) => records.map(({ code }) => code);
  const facets = {
    region: { ofKind: ofKinds((each) => regionOfLane[laneOf(each)]), codes: codesOf(regions), isSet: false },
    trade_lane: { ofKind: ofKinds(laneOf), codes: codesOf(lanes), isSet: false },
    route_group: { ofKind: ofKinds((each) => each.group), codes: codesOf(groups), isSet: false },
    carrier: { ofKind: ofKinds((each) => each.carrier), codes: codesOf(carriers), isSet: false },
    cargo_type: { ofKind: ofKinds((each) => each.cargo), codes: cargoTypes, isSet: false },
    service_level: { ofKind: ofKinds((each) => each.levels), codes: serviceLevelNames, isSet: true },
    freshness: { ofKind: ofKinds((each) => each.fresh), codes: freshnesses, isSet: true },
  } satisfies Record<FacetName, FacetColumn>;
  return { carrier, origin, destination, sample, facets, kind, kinds };
};

const ofKind = ["carrier", "group", "cargo", "levels", "fresh"] as const;
type Kind = Record<(typeof ofKind)[number], number>;

/** Most routes have the value of every facet in common with others. A route's kind is an index into the distinct ones. */
const kindsOf = (columns: Record<keyof Kind, Column>): { kind: Column; kinds: Kind[] } => {
  const indexByKey = new Map<string, number>();
  const kinds: Kind[] = [];
  const kind = columns.carrier.map((_, row) => {
    const key = ofKind.map((name) => columns[name][row]).join(" ");
    const index =
      indexByKey.get(key) ??
      kinds.push(Object.fromEntries(ofKind.map((name) => [name, columns[name][row]])) as Kind) - 1;
    indexByKey.set(key, index);
    return index;
  });
  return { kind, kinds };
};

type RouteText = { code: string; words: readonly string[] };

/** Remembered, because most routes stay the same when an index is rebuilt. */
export const routeTextOf = rememberFor((route: IndexedRoute): RouteText => {
  const code = plain(route.code);
  return { code, words: [...new Set(wordsOf(`${code} ${plain(route.name)}`))] };
});

/**
 * What only the route itself says: its name unless it is that of its ports, and parts of its code that are not codes of its
 * ports and carrier. Most routes share a few labels.
 */
export const labelsOf = (
  { ports, carriers }: Directory,
  routes: readonly IndexedRoute[],
  { origin, destination, carrier }: Columns,
): { labels: string[]; label: Column } => {
  const wordsOfPort = ports.map(
    ({ unlocode, altUnlocodes, name }) => new Set(wordsOf(plain([unlocode, ...altUnlocodes, name].join(" ")))),
  );
  const codeOfCarrier = carriers.map(({ code }) => plain(code));
  const indexByLabel = new Map<string, number>();
  const label = Uint32Array.from(routes, (route, row) => {
    const ends = [wordsOfPort[origin[row] as number], wordsOfPort[destination[row] as number]];
    const own = routeTextOf(route).words.filter(
      (word) => word !== codeOfCarrier[carrier[row] as number] && !ends.some((words) => words?.has(word)),
    );
    const text = ` ${own.join(" ")} `;
    const index = indexByLabel.get(text) ?? indexByLabel.size;
    indexByLabel.set(text, index);
    return index;
  });
  return { labels: [...indexByLabel.keys()], label };
};

/** Finds the labels that match a term. There may be as many as routes, so they are searched as one text. */
export const labelSearchOf = (labels: readonly string[], fitOf: (term: string, label: string) => number) => {
  const text = labels.join("");
  const words = [...new Set(labels.flatMap((label) => label.split(" ")))].join(" ");
  let length = 0;
  const starts = Uint32Array.from(labels, (label) => {
    length += label.length;
    return length - label.length;
  });
  /** Null: none matches. */
  return (term: string): Uint16Array | null => {
    // Labels share a few words, so most terms are ruled out by a short text.
    if (!term.includes(" ") && !words.includes(term)) return null;
    let at = text.indexOf(term);
    if (at === -1) return null;
    const fits = new Uint16Array(labels.length);
    for (let index = 0; at !== -1; at = index < labels.length ? text.indexOf(term, starts[index]) : -1) {
      while ((starts[index + 1] ?? length) <= at) index += 1;
      fits[index] = fitOf(term, labels[index] as string);
      index += 1;
    }
    return fits;
  };
};
