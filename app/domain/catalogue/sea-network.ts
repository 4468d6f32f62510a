/**
 * A graph of the sea: nodes, legs that avoid land, and the approaches of ports. Distances are in nautical miles. For
 * planning and display, not for navigation.
 */
import type { Waypoint } from "./waypoint.ts";

export type SeaNode = { key: string; name: string; lat: number; lon: number; kind: Waypoint["kind"] };
type Position = { lat: number; lon: number };
/** `bends` take the line around land, in the direction of travel. */
export type SeaLeg = { nauticalMiles: number; weight: number; passage: string | null; bends: readonly Position[] };
/** How a port joins the network. `bends` lead from the port to the node. */
export type Approach = { node: number; nauticalMiles: number; bends: readonly Position[] };

export type SeaNetwork = {
  nodes: readonly SeaNode[];
  /** By node index: the neighbours and the legs to them. */
  legs: readonly ReadonlyMap<number, SeaLeg>[];
  approaches: ReadonlyMap<string, readonly Approach[]>;
};

export type SeaNetworkFile = {
  nodes: [key: string, name: string, lat: number, lon: number, kind: Waypoint["kind"]][];
  /** Usable in both directions. */
  edges: [from: number, to: number, nauticalMiles: number, weight: number, passage?: string | null, bends?: Bends][];
};
export type ApproachesFile = Record<string, [node: number, nauticalMiles: number, bends?: Bends][]>;
type Bends = [lat: number, lon: number][];

export const seaNetworkOf = (file: SeaNetworkFile, approaches: ApproachesFile): SeaNetwork => {
  const legs = file.nodes.map(() => new Map<number, SeaLeg>());
  for (const [from, to, nauticalMiles, weight, passage = null, written = []] of file.edges) {
    const bends = written.map(positionOf);
    legs[from]?.set(to, { nauticalMiles, weight, passage, bends });
    legs[to]?.set(from, { nauticalMiles, weight, passage, bends: bends.toReversed() });
  }
  return {
    nodes: file.nodes.map(([key, name, lat, lon, kind]) => ({ key, name, lat, lon, kind })),
    legs,
    approaches: new Map(
      Object.entries(approaches).map(([port, joins]) => [
        port,
        joins.map(([node, nauticalMiles, bends = []]) => ({ node, nauticalMiles, bends: bends.map(positionOf) })),
      ]),
    ),
  };
};

const positionOf = ([lat, lon]: [lat: number, lon: number]): Position => ({ lat, lon });

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
  const bend = (between: readonly Position[], from: number, to: number): Waypoint[] =>
    between.map(({ lat, lon }, i) => {
      const miles = from + ((to - from) * (i + 1)) / (between.length + 1);
      return { name: null, kind: "waypoint", lat, lon, distanceNm: Math.round(miles * stretch) };
    });
  const points = way.path.flatMap((index, i): Waypoint[] => {
    const node = nodeAt(network, index);
    const before = way.path[i - 1];
    const bends =
      before === undefined ? approachOf(network, way.origin, index).bends : legBetween(network, before, index).bends;
    return [
      ...bend(bends, untilNode[i - 1] ?? 0, untilNode[i] ?? 0),
      {
        name: namedKeys.has(node.key) ? node.name : null,
        kind: node.kind,
        lat: node.lat,
        lon: node.lon,
        distanceNm: Math.round((untilNode[i] ?? 0) * stretch),
      },
    ];
  });
  const arrival = approachOf(network, way.destination, way.path.at(-1)).bends.toReversed();
  return [...points, ...bend(arrival, untilNode.at(-1) ?? 0, total)];
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

/** Dijkstra. */
const lightestPath = (network: SeaNetwork, origin: string, destination: string, excluded: ReadonlySet<string>) => {
  const ends = new Map(network.approaches.get(destination)?.map((join) => [join.node, join.nauticalMiles]));
  const weights = new Map<number, number>();
  const cameFrom = new Map<number, number>();
  const queue = new LightestFirst();
  for (const { node, nauticalMiles } of network.approaches.get(origin) ?? []) {
    weights.set(node, nauticalMiles);
    queue.push(node, nauticalMiles);
  }
  let best: { end: number; weight: number } | null = null;

  for (let first = queue.pop(); first !== null; first = queue.pop()) {
    const { node, weight } = first;
    if (best !== null && weight >= best.weight) break;
    if (weight > (weights.get(node) ?? 0)) continue; // A lighter way was found after this entry was queued.
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
      queue.push(next, nextWeight);
    }
  }
  return best === null ? null : pathTo(best.end, cameFrom);
};

/** A priority queue of nodes, as a binary heap. */
class LightestFirst {
  readonly #heap: { node: number; weight: number }[] = [];

  push(node: number, weight: number): void {
    this.#heap.push({ node, weight });
    for (let i = this.#heap.length - 1; i > 0 && this.#swapIfLighter(i, (i - 1) >> 1); i = (i - 1) >> 1);
  }

  pop(): { node: number; weight: number } | null {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (first === undefined || last === undefined) return null;
    if (this.#heap.length > 0) this.#heap[0] = last;
    for (let i = 0; ; ) {
      const child = this.#lighterChild(i);
      if (child === null || !this.#swapIfLighter(child, i)) return first;
      i = child;
    }
  }

  #lighterChild(i: number): number | null {
    const [left, right] = [2 * i + 1, 2 * i + 2];
    if (left >= this.#heap.length) return null;
    return this.#weightAt(right) < this.#weightAt(left) ? right : left;
  }

  #swapIfLighter(below: number, above: number): boolean {
    const [lower, upper] = [this.#heap[below], this.#heap[above]];
    if (!lower || !upper || lower.weight >= upper.weight) return false;
    this.#heap[above] = lower;
    this.#heap[below] = upper;
    return true;
  }

  #weightAt = (i: number): number => this.#heap[i]?.weight ?? Number.POSITIVE_INFINITY;
}

const pathTo = (end: number, cameFrom: ReadonlyMap<number, number>): number[] => {
  const path: number[] = [];
  for (let node: number | undefined = end; node !== undefined; node = cameFrom.get(node)) path.unshift(node);
  return path;
};

const milesAlong = (network: SeaNetwork, { origin, destination, path }: SeaPath) => {
  let total = approachOf(network, origin, path[0]).nauticalMiles;
  const untilNode = path.map((index, i) => {
    const before = path[i - 1];
    if (before !== undefined) total += legBetween(network, before, index).nauticalMiles;
    return total;
  });
  return { untilNode, total: total + approachOf(network, destination, path.at(-1)).nauticalMiles };
};

const approachOf = (network: SeaNetwork, port: string, node: number | undefined): Approach => {
  const join = network.approaches.get(port)?.find((approach) => approach.node === node);
  if (join === undefined) throw new RangeError(`Port ${port} does not join the network at point ${node}`);
  return join;
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
