/**
 * Approximate geometry of routes for public maps: without names, rounded to a tenth of a degree. The exact paths
 * need a subscription.
 */
import { perDatabase } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { type Leg, type LonLat, legsOf } from "./legs.ts";
import { approximately } from "./route-line.ts";
import { searoutesBetween } from "./sea-network.server.ts";
import type { RouteSearch } from "./search.ts";
import { indexedCatalogue } from "./search-index.server.ts";
import * as queries from "./search-queries.server.ts";
import { alternativesTo, type SearouteAlternative } from "./searoutes.ts";

/** Points from port to port. */
export type Geometry = LonLat[];

export type Traffic = { ports: queries.PortTraffic[]; legs: Leg[] };

/** For all matching routes: their ports, busiest first, and the traffic between them. */
export const trafficOf = async (ctx: Pick<Context, "db" | "clock">, search: RouteSearch): Promise<Traffic> => {
  const ids = (await indexedCatalogue(ctx)).find(search).ids();
  const [ports, routes] = await Promise.all([
    queries.portsOfRoutes(ctx.db, ids),
    queries.versionsOfRoutes(ctx.db, ids),
  ]);
  return { ports, legs: await legsOfRoutes(ctx.db, routes) };
};

/** The points between the ports of one route. Empty for an unknown route. */
export const approximateGeometry = async (
  ctx: Pick<Context, "db">,
  id: number,
): Promise<{ lon: number; lat: number }[]> => {
  const [row] = await queries.geometriesWithPorts(ctx.db, [id]);
  return row ? approximately(row.waypoints) : [];
};

/** Other sea routes between the ports of a route, by other canals; none for a route that does not exist. */
export const alternativesOf = async (ctx: Pick<Context, "db">, id: number): Promise<SearouteAlternative[]> => {
  const [row] = await queries.geometriesWithPorts(ctx.db, [id]);
  return row ? alternativesTo(row, await searoutesBetween(row.origin.unlocode, row.destination.unlocode)) : [];
};

type RouteVersion = { id: number; version: number };
type Known = {
  /** By route id. The geometry of a version never changes. */
  ways: Map<number, { version: number; way: Geometry }>;
  /** Of the latest sets of route versions, by those versions. */
  legs: Map<string, Leg[]>;
};

const cacheOf = perDatabase((): Known => ({ ways: new Map(), legs: new Map() }));
const mostLegsKept = 10;

const legsOfRoutes = async (db: Context["db"], routes: RouteVersion[]): Promise<Leg[]> => {
  const { legs } = cacheOf(db);
  const versions = routes.map(({ id, version }) => `${id} ${version}`).join();
  const found = legs.get(versions) ?? legsOf(await waysOf(db, routes));
  legs.delete(versions);
  legs.set(versions, found);
  const [oldest] = legs.keys();
  if (legs.size > mostLegsKept && oldest !== undefined) legs.delete(oldest);
  return found;
};

const waysOf = async (db: Context["db"], routes: RouteVersion[]): Promise<Geometry[]> => {
  const known = cacheOf(db).ways;
  const unknown = routes.filter(({ id, version }) => known.get(id)?.version !== version).map(({ id }) => id);
  for (const row of unknown.length === 0 ? [] : await queries.geometriesWithPorts(db, unknown)) {
    const { id, version, waypoints, origin, destination } = row;
    const points = [origin, ...approximately(waypoints), destination];
    const way: Geometry = points.map(({ lon, lat }) => [lon, lat]);
    known.set(id, { version, way });
  }
  return routes.flatMap(({ id }) => {
    const way = known.get(id)?.way;
    return way ? [way] : [];
  });
};
