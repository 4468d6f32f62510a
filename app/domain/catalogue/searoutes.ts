/** The sea routes between two ports: the shortest, and those that avoid the Suez Canal, the Panama Canal or both. */

import { type SeaNetwork, type SeaRoute, shortestSeaRoute, waypointsOf } from "./sea-network.ts";
import type { Waypoint } from "./waypoint.ts";

export const canals = ["Suez Canal", "Panama Canal"] as const;
export type Canal = (typeof canals)[number];

/** What a ship may want to avoid, in the order in which the routes are listed. A route by the Cape avoids both canals. */
export const avoidances: readonly (readonly Canal[])[] = [[], ["Suez Canal"], ["Panama Canal"], canals];

/**
 * Extra days are at this speed for every route, so that alternatives can be compared. It is the demo fleet's standard
 * speed for break bulk, between bulk (13 knots) and containers (16).
 */
export const comparisonSpeedKnots = 14;

export type Searoute = Pick<SeaRoute, "nauticalMiles" | "passages"> & {
  canals: Canal[];
  /** What sets the route apart: "Suez Canal", "Cape of Good Hope", "Open sea". */
  via: string;
  /** Between the ports. Canals, straits and capes have their names. */
  waypoints: Waypoint[];
};

export type SearouteAlternative = Searoute & {
  /** Against the route as it is sailed. Negative if the alternative is shorter. */
  extraNauticalMiles: number;
  /** At `comparisonSpeedKnots`, to a tenth of a day. */
  extraDays: number;
};

/** Different routes only, the shortest first. None if the network does not know one of the ports. */
export const searoutes = (network: SeaNetwork, origin: string, destination: string): Searoute[] => {
  const routes = new Map<string, Searoute>();
  for (const excludedPassages of avoidances) {
    const route = shortestSeaRoute(network, origin, destination, { excludedPassages });
    if (route && !routes.has(`${route.path}`)) routes.set(`${route.path}`, searouteOf(network, route));
  }
  return [...routes.values()];
};

/** All but the one that passes the same canals as the route, compared with that one. */
export const alternativesTo = (
  route: { passages: readonly string[] },
  options: readonly Searoute[],
): SearouteAlternative[] => {
  const sailed = options.find((option) =>
    canals.every((canal) => hasPassage(option, canal) === hasPassage(route, canal)),
  );
  if (sailed === undefined) return [];
  return options
    .filter((option) => option !== sailed)
    .map((option) => {
      const extraNauticalMiles = option.nauticalMiles - sailed.nauticalMiles;
      const extraDays = Math.round((extraNauticalMiles / comparisonSpeedKnots / 24) * 10) / 10;
      return { ...option, extraNauticalMiles, extraDays };
    });
};

/** The points of the network that have a name in lists and on maps. */
export const namedKeys = (network: SeaNetwork): ReadonlySet<string> =>
  new Set(network.nodes.filter(({ kind }) => namedKinds.includes(kind)).map(({ key }) => key));

const namedKinds: readonly Waypoint["kind"][] = ["strait", "canal", "cape"];

const searouteOf = (network: SeaNetwork, route: SeaRoute): Searoute => {
  const passed = canals.filter((canal) => route.passages.includes(canal));
  const capes = route.path.map((index) => network.nodes[index]?.name).filter((name) => landmarks.has(name ?? ""));
  const marks = [...passed, ...capes, ...(route.passages.includes(magellan) ? [magellan] : [])];
  return {
    nauticalMiles: route.nauticalMiles,
    passages: route.passages,
    canals: passed,
    via: marks.length > 0 ? marks.join(", ") : "Open sea",
    waypoints: waypointsOf(network, route, namedKeys(network)),
  };
};

const landmarks: ReadonlySet<string> = new Set(["Cape of Good Hope", "Cape Horn"]);
const magellan = "Strait of Magellan";

const hasPassage = ({ passages }: { passages: readonly string[] }, canal: Canal) => passages.includes(canal);
