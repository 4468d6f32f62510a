/** Finds sea routes for imported routes. For display, not for navigation. */

import { seaNetwork } from "../catalogue/sea-network.server.ts";
import { type SeaNetwork, shortestSeaRoute, waypointsOf } from "../catalogue/sea-network.ts";
import { avoidances, type Canal, namedKeys } from "../catalogue/searoutes.ts";
import type { Waypoint } from "../catalogue/waypoint.ts";
import type { KnownPort, WayFinder } from "./routes.ts";

export const seaRouteFinder = async (): Promise<WayFinder> => wayFinder(await seaNetwork());

type Leg = { points: Waypoint[]; passages: string[]; nauticalMiles: number };

const wayFinder = (network: SeaNetwork): WayFinder => {
  const named = namedKeys(network);
  const found = new Map<string, Leg>();
  const legBetween = (from: KnownPort, to: KnownPort, avoided: readonly Canal[]): Leg => {
    const key = `${from.unlocode} ${to.unlocode} ${avoided}`;
    const leg = found.get(key) ?? findLeg(network, named, from, to, avoided);
    found.set(key, leg);
    return leg;
  };
  const wayBy = (ports: readonly KnownPort[], avoided: readonly Canal[]) =>
    ports.slice(1).map((to, i) => legBetween(ports[i] ?? to, to, avoided));

  return (ports, distanceNm) => {
    const shortest = wayBy(ports, []);
    // A route that is much longer than the shortest one avoids a canal.
    const ways = milesOf(shortest) < distanceNm * 0.9 ? avoidances.map((avoided) => wayBy(ports, avoided)) : [shortest];
    const offBy = (way: readonly Leg[]) => Math.abs(milesOf(way) - distanceNm);
    const legs = ways.reduce((best, way) => (offBy(way) < offBy(best) ? way : best), shortest);
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
  avoided: readonly Canal[],
): Leg => {
  const way = shortestSeaRoute(network, from.unlocode, to.unlocode, { excludedPassages: avoided });
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
