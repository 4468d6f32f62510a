/** Finds sea routes for imported routes. For display, not for navigation. */

import {
  type SeaNetwork,
  type SeaNetworkFile,
  seaNetworkOf,
  shortestSeaRoute,
  waypointsOf,
} from "../catalogue/sea-network.ts";
import type { Waypoint } from "../catalogue/waypoint.ts";
import type { KnownPort } from "./catalogue-snapshot.ts";
import type { WayFinder } from "./routes-file.ts";

/** Loads the network on demand, as imports are rare. */
export const seaRouteFinder = async (): Promise<WayFinder> => {
  const [file, approaches] = await Promise.all([
    import("../catalogue/sea-network-data/sea_network.json"),
    import("../catalogue/sea-network-data/port_approaches.json"),
  ]);
  const network = seaNetworkOf(
    file.default as unknown as SeaNetworkFile,
    approaches.default as unknown as Record<string, [number, number][]>,
  );
  return wayFinder(network);
};

type Leg = { points: Waypoint[]; passages: string[]; nauticalMiles: number };

const namedKinds: readonly Waypoint["kind"][] = ["strait", "canal", "cape"];
const canals = ["Suez Canal", "Panama Canal"];

const wayFinder = (network: SeaNetwork): WayFinder => {
  const named = new Set(network.nodes.filter(({ kind }) => namedKinds.includes(kind)).map(({ key }) => key));
  const found = new Map<string, Leg>();
  const legBetween = (from: KnownPort, to: KnownPort, byCanals: boolean): Leg => {
    const key = `${from.unlocode} ${to.unlocode} ${byCanals}`;
    const leg = found.get(key) ?? findLeg(network, named, from, to, byCanals);
    found.set(key, leg);
    return leg;
  };
  const wayBy = (ports: readonly KnownPort[], byCanals: boolean) =>
    ports.slice(1).map((to, i) => legBetween(ports[i] ?? to, to, byCanals));

  return (ports, distanceNm) => {
    const short = wayBy(ports, true);
    // A distance much longer than the way through the canals suggests the way round the capes.
    const round = milesOf(short) < distanceNm * 0.9 ? wayBy(ports, false) : short;
    const legs = Math.abs(milesOf(round) - distanceNm) < Math.abs(milesOf(short) - distanceNm) ? round : short;
    return { waypoints: joined(ports, legs, distanceNm), passages: [...new Set(legs.flatMap((leg) => leg.passages))] };
  };
};

const milesOf = (legs: readonly Leg[]): number => legs.reduce((sum, { nauticalMiles }) => sum + nauticalMiles, 0);

/** A straight line to a port that the network does not know. */
const findLeg = (
  network: SeaNetwork,
  named: ReadonlySet<string>,
  from: KnownPort,
  to: KnownPort,
  byCanals: boolean,
): Leg => {
  const options = byCanals ? {} : { excludedPassages: canals };
  const way = shortestSeaRoute(network, from.unlocode, to.unlocode, options);
  if (!way) return { points: [], passages: [], nauticalMiles: 0 };
  return { points: waypointsOf(network, way, named), passages: way.passages, nauticalMiles: way.nauticalMiles };
};

/** Joins the legs and the ports of call into one path, scaled to the distance in the file. */
const joined = (ports: readonly KnownPort[], legs: readonly Leg[], distanceNm: number): Waypoint[] => {
  const total = milesOf(legs);
  const stretch = total === 0 ? 1 : distanceNm / total;
  let before = 0;
  return legs.flatMap(({ points, nauticalMiles }, i) => {
    const start = before;
    before += nauticalMiles;
    const call = ports[i + 1];
    const calls: Waypoint[] =
      call && i < legs.length - 1
        ? [
            {
              name: call.name,
              kind: "waypoint",
              lat: call.lat,
              lon: call.lon,
              distanceNm: Math.round(before * stretch),
            },
          ]
        : [];
    const moved = points.map((point) => ({ ...point, distanceNm: Math.round((start + point.distanceNm) * stretch) }));
    return [...moved, ...calls];
  });
};
