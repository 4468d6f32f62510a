/** Ports, and port pairs with routes between them, in memory: what autocompletion offers. */
import { rememberFor } from "../../platform/remember.ts";
import { greatCircleNm } from "./great-circle.ts";
import { leastFit, type PortEntry, type Vocabulary } from "./search-vocabulary.ts";
import { type KnownTexts, searchTerms, type Term } from "./search-words.ts";

export type FoundPort = { id: number; departingRoutes: number; arrivingRoutes: number };
export type FoundPair = { originId: number; destinationId: number; routes: number };

type Pair = { origin: number; destination: number; routes: number };
type Traffic = {
  departing: Uint32Array;
  arriving: Uint32Array;
  pairs: Pair[];
  /** The pairs of each port as the origin. */
  pairsFrom: Pair[][];
};

/** How many routes begin and end at each port and go between two ports. */
const trafficBetween = (origin: Uint32Array, destination: Uint32Array, ports: number): Traffic => {
  const [departing, arriving] = [new Uint32Array(ports), new Uint32Array(ports)];
  const routesOfPair = new Map<number, number>();
  origin.forEach((from, row) => {
    const to = destination[row] as number;
    (departing[from] as number) += 1;
    (arriving[to] as number) += 1;
    routesOfPair.set(from * ports + to, (routesOfPair.get(from * ports + to) ?? 0) + 1);
  });
  const pairs = Array.from(routesOfPair, ([key, routes]) => ({
    origin: Math.floor(key / ports),
    destination: key % ports,
    routes,
  }));
  const pairsFrom = Array.from(departing, (): Pair[] => []);
  for (const pair of pairs) pairsFrom[pair.origin]?.push(pair);
  return { departing, arriving, pairs, pairsFrom };
};

type Parts = {
  ports: readonly PortEntry[];
  vocabulary: Vocabulary;
  known: KnownTexts;
  /** The ports of each route, as indexes in `ports`. */
  origin: Uint32Array;
  destination: Uint32Array;
  /** Marks the ports that have a code. */
  portsWith: (code: string) => Uint8Array;
};

/** Restricts suggestions to ports with a route from or to another port, by its code. */
export type Connection = { from?: string | undefined; to?: string | undefined };

/** Ports within this distance are alternatives to each other: a day by truck. */
const nearbyNm = 250;

/** The ports near a port and itself, with their distances in nautical miles. Those of a port are measured once. */
const neighboursIn = (ports: readonly PortEntry[]) =>
  rememberFor(
    (centre: PortEntry): ReadonlyMap<number, number> =>
      new Map(
        ports.map((port, index) => [index, greatCircleNm(centre, port)] as const).filter(([, nm]) => nm <= nearbyNm),
      ),
  );

export const portSearchOf = ({ ports, vocabulary, known, origin, destination, portsWith }: Parts) => {
  const { departing, arriving, pairs, pairsFrom } = trafficBetween(origin, destination, ports.length);
  const idOf = (port: number): number => (ports[port] as PortEntry).id;
  const neighboursOf = neighboursIn(ports);

  /** The points of each port for the terms; 0: a term does not match. */
  const pointsOf = (terms: readonly Term[]): Uint16Array => {
    const points = new Uint16Array(ports.length).fill(1);
    for (const { text } of terms) {
      const exact = vocabulary.fitsOf(text).ports;
      const fits = exact.some((fit) => fit > 0) ? exact : vocabulary.fitsOfMisspelt(text).ports;
      const least = leastFit([exact]);
      for (let port = 0; port < points.length; port++) {
        points[port] =
          points[port] === 0 || (fits[port] as number) < least ? 0 : (points[port] as number) + (fits[port] as number);
      }
    }
    return points;
  };

  /** Marks the ports at the other end of routes. */
  const connected = (end: "origin" | "destination", code: string): Uint8Array => {
    const isThere = portsWith(code);
    const found = new Uint8Array(ports.length);
    for (const pair of pairs)
      if (isThere[pair[end]] === 1) found[end === "origin" ? pair.destination : pair.origin] = 1;
    return found;
  };

  /** Ports that match all words, best first; of equal matches, the ports with the most routes. */
  const find = (q: string, limit: number, { from, to }: Connection = {}): FoundPort[] => {
    const points = pointsOf(searchTerms(q, known));
    const ends = [
      ...(from === undefined ? [] : [connected("origin", from)]),
      ...(to === undefined ? [] : [connected("destination", to)]),
    ];
    const routesAt = (port: number) => (departing[port] as number) + (arriving[port] as number);
    return [...ports.keys()]
      .filter((port) => points[port] !== 0 && !ports[port]?.isRetired && ends.every((isEnd) => isEnd[port] === 1))
      .sort((a, b) => (points[b] as number) - (points[a] as number) || routesAt(b) - routesAt(a) || a - b)
      .slice(0, limit)
      .map((port) => ({
        id: idOf(port),
        departingRoutes: departing[port] as number,
        arrivingRoutes: arriving[port] as number,
      }));
  };

  /** The points of origins and of destinations, for each way to divide the terms between them. A single term is the origin. */
  const divisionsOf = (terms: readonly Term[]): [origins: Uint16Array, destinations: Uint16Array][] =>
    terms.length < 2
      ? [[pointsOf(terms), pointsOf([])]]
      : terms.slice(1).map((_, index) => [pointsOf(terms.slice(0, index + 1)), pointsOf(terms.slice(index + 1))]);

  /** Pairs whose origin matches the first words and whose destination the others. Best first, then those with the most routes. */
  const findPairs = (q: string, limit: number): FoundPair[] => {
    const terms = searchTerms(q, known);
    const divisions = terms.length === 0 ? [] : divisionsOf(terms);
    const fitting = new Map<Pair, number>();
    for (const [origins, destinations] of divisions) {
      for (const [origin, pairsOfOrigin] of pairsFrom.entries()) {
        const begin = origins[origin] as number;
        if (begin === 0) continue;
        for (const pair of pairsOfOrigin) {
          const end = destinations[pair.destination] as number;
          if (end > 0) fitting.set(pair, Math.max(begin + end, fitting.get(pair) ?? 0));
        }
      }
    }
    return [...fitting]
      .sort(
        ([a, pointsOfA], [b, pointsOfB]) =>
          pointsOfB - pointsOfA || b.routes - a.routes || a.origin - b.origin || a.destination - b.destination,
      )
      .slice(0, limit)
      .map(([{ origin, destination, routes }]) => ({
        originId: idOf(origin),
        destinationId: idOf(destination),
        routes,
      }));
  };

  /** Other pairs whose ports are near these, the nearest first. Distances are those between the ports on land. */
  const findNear = (from: string, to: string, limit: number): FoundPair[] => {
    const [isFrom, isTo] = [portsWith(from), portsWith(to)];
    const [at, destinedFor] = [ports[isFrom.indexOf(1)], ports[isTo.indexOf(1)]];
    if (!at || !destinedFor) return [];
    const destinations = neighboursOf(destinedFor);
    return [...neighboursOf(at)]
      .flatMap(([origin, nmFromOrigin]) =>
        (pairsFrom[origin] ?? []).flatMap((pair) => {
          const nmFromDestination = destinations.get(pair.destination);
          return nmFromDestination === undefined ? [] : [{ ...pair, nmAway: nmFromOrigin + nmFromDestination }];
        }),
      )
      .filter(({ origin, destination }) => !(isFrom[origin] === 1 && isTo[destination] === 1))
      .sort((a, b) => a.nmAway - b.nmAway || b.routes - a.routes)
      .slice(0, limit)
      .map(({ origin, destination, routes }) => ({ originId: idOf(origin), destinationId: idOf(destination), routes }));
  };

  /** The ids of all ports that match all words. */
  const findIds = (q: string): number[] =>
    [...pointsOf(searchTerms(q, known))].flatMap((points, port) => (points > 0 ? [idOf(port)] : []));

  return { find, findPairs, findNear, findIds };
};
