/**
 * A graph of the sea: nodes, legs that avoid land, and the approaches of ports. Distances are in nautical miles. For
 * planning and display, not for navigation.
 */
import type { Waypoint } from "./waypoint.ts";

export type SeaNode = { key: string; name: string; lat: number; lon: number; kind: Waypoint["kind"] };
export type SeaLeg = { nauticalMiles: number; weight: number; passage: string | null };
export type Approach = { node: number; nauticalMiles: number };

export type SeaNetwork = {
  nodes: readonly SeaNode[];
  /** By node index: the neighbours and the legs to them. */
  legs: readonly ReadonlyMap<number, SeaLeg>[];
  approaches: ReadonlyMap<string, readonly Approach[]>;
};

export type SeaNetworkFile = {
  nodes: [key: string, name: string, lat: number, lon: number, kind: Waypoint["kind"]][];
  /** Usable in both directions. */
  edges: [from: number, to: number, nauticalMiles: number, weight: number, passage?: string][];
};

export const seaNetworkOf = (
  file: SeaNetworkFile,
  approaches: Record<string, [node: number, nauticalMiles: number][]>,
): SeaNetwork => {
  const legs = file.nodes.map(() => new Map<number, SeaLeg>());
  for (const [from, to, nauticalMiles, weight, passage = null] of file.edges) {
    legs[from]?.set(to, { nauticalMiles, weight, passage });
    legs[to]?.set(from, { nauticalMiles, weight, passage });
  }
  return {
    nodes: file.nodes.map(([key, name, lat, lon, kind]) => ({ key, name, lat, lon, kind })),
    legs,
    approaches: new Map(
      Object.entries(approaches).map(([port, joins]) => [
        port,
        joins.map(([node, nauticalMiles]) => ({ node, nauticalMiles })),
      ]),
    ),
  };
};

/** A path through the network from port to port, as node indexes. */
export type SeaPath = { origin: string; destination: string; path: readonly number[] };

/**
 * The points of a path with their distances from the origin, scaled to a total of `distanceNm`. Only points whose key
 * is in `namedKeys` keep their names.
 *
 * @throws RangeError if two consecutive points have no leg between them
 */
export const waypointsOf = (
  network: SeaNetwork,
  way: SeaPath,
  namedKeys: ReadonlySet<string>,
  distanceNm?: number,
): Waypoint[] => {
  const { untilNode, total } = milesAlong(network, way);
  const stretch = distanceNm === undefined || total === 0 ? 1 : distanceNm / total;
  return way.path.map((index, i) => {
    const node = nodeAt(network, index);
    return {
      name: namedKeys.has(node.key) ? node.name : null,
      kind: node.kind,
      lat: node.lat,
      lon: node.lon,
      distanceNm: Math.round((untilNode[i] ?? 0) * stretch),
    };
  });
};

/** Well-known straits that are nodes rather than named legs. */
const straitsByNodeKey: Readonly<Record<string, string>> = {
  taiwan_st: "Taiwan Strait",
  busan: "Korea Strait",
  luzon: "Luzon Strait",
  malacca_c: "Strait of Malacca",
  hormuz: "Strait of Hormuz",
  bab: "Bab-el-Mandeb",
  gibraltar: "Strait of Gibraltar",
  dover: "Dover Strait",
  florida_e: "Straits of Florida",
  yucatan: "Yucatan Channel",
  windward: "Windward Passage",
  mona: "Mona Passage",
  bass: "Bass Strait",
  cookst: "Cook Strait",
};

/** The canals and straits on a path, in the order of passage, without duplicates. */
export const passagesAlong = (network: SeaNetwork, path: readonly number[]): string[] => {
  const passages = new Set<string>();
  path.forEach((index, i) => {
    const strait = straitsByNodeKey[nodeAt(network, index).key];
    if (strait !== undefined) passages.add(strait);
    const next = path[i + 1];
    const passage = next === undefined ? null : legBetween(network, index, next).passage;
    if (passage !== null) passages.add(passage);
  });
  return [...passages];
};

export type SeaRoute = SeaPath & { nauticalMiles: number; passages: string[] };

/**
 * The path of least weight between two ports that avoids the excluded passages. Null if there is none, or if a port is
 * unknown. To route by the Cape of Good Hope, exclude both canals.
 */
export const shortestSeaRoute = (
  network: SeaNetwork,
  origin: string,
  destination: string,
  options: { excludedPassages?: readonly string[] } = {},
): SeaRoute | null => {
  const path = lightestPath(network, origin, destination, new Set(options.excludedPassages));
  if (path === null) return null;
  const way = { origin, destination, path };
  return {
    ...way,
    nauticalMiles: Math.round(milesAlong(network, way).total),
    passages: passagesAlong(network, path),
  };
};

/** Dijkstra. With a few hundred nodes, a linear scan for the minimum is faster than a heap. */
const lightestPath = (network: SeaNetwork, origin: string, destination: string, excluded: ReadonlySet<string>) => {
  const ends = new Map(network.approaches.get(destination)?.map((join) => [join.node, join.nauticalMiles]));
  const weights = new Map(network.approaches.get(origin)?.map((join) => [join.node, join.nauticalMiles]));
  const cameFrom = new Map<number, number>();
  const settled = new Set<number>();
  let best: { end: number; weight: number } | null = null;

  for (let node = lightest(weights, settled); node !== null; node = lightest(weights, settled)) {
    const weight = weights.get(node) ?? 0;
    if (best !== null && weight >= best.weight) break;
    settled.add(node);
    const lastMiles = ends.get(node);
    if (lastMiles !== undefined && (best === null || weight + lastMiles < best.weight)) {
      best = { end: node, weight: weight + lastMiles };
    }
    for (const [next, leg] of network.legs[node] ?? []) {
      if (leg.passage !== null && excluded.has(leg.passage)) continue;
      const nextWeight = weight + leg.weight;
      if (nextWeight >= (weights.get(next) ?? Number.POSITIVE_INFINITY)) continue;
      weights.set(next, nextWeight);
      cameFrom.set(next, node);
    }
  }
  return best === null ? null : pathTo(best.end, cameFrom);
};

const lightest = (weights: ReadonlyMap<number, number>, settled: ReadonlySet<number>): number | null => {
  let found: number | null = null;
  let foundWeight = Number.POSITIVE_INFINITY;
  for (const [node, weight] of weights) {
    if (weight >= foundWeight || settled.has(node)) continue;
    found = node;
    foundWeight = weight;
  }
  return found;
};

const pathTo = (end: number, cameFrom: ReadonlyMap<number, number>): number[] => {
  const path: number[] = [];
  for (let node: number | undefined = end; node !== undefined; node = cameFrom.get(node)) path.unshift(node);
  return path;
};

const milesAlong = (network: SeaNetwork, { origin, destination, path }: SeaPath) => {
  let total = approachMiles(network, origin, path[0]);
  const untilNode = path.map((index, i) => {
    const before = path[i - 1];
    if (before !== undefined) total += legBetween(network, before, index).nauticalMiles;
    return total;
  });
  return { untilNode, total: total + approachMiles(network, destination, path.at(-1)) };
};

const approachMiles = (network: SeaNetwork, port: string, node: number | undefined): number => {
  const join = network.approaches.get(port)?.find((approach) => approach.node === node);
  if (join === undefined) throw new RangeError(`Port ${port} does not join the network at point ${node}`);
  return join.nauticalMiles;
};

const legBetween = (network: SeaNetwork, from: number, to: number): SeaLeg => {
  const leg = network.legs[from]?.get(to);
  if (leg === undefined) throw new RangeError(`No leg between points ${from} and ${to}`);
  return leg;
};

const nodeAt = (network: SeaNetwork, index: number): SeaNode => {
  const node = network.nodes[index];
  if (node === undefined) throw new RangeError(`No point ${index}`);
  return node;
};
