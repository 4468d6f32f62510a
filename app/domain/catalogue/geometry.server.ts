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
import type { IndexedRoute } from "./search-columns.ts";
import { type IndexedCatalogue, indexedCatalogue } from "./search-index.server.ts";
import type { Found } from "./search-index.ts";
import * as queries from "./search-queries.server.ts";
import { alternativesTo, type SearouteAlternative } from "./searoutes.ts";

/** Points from port to port. */
export type Geometry = LonLat[];

export type PortTraffic = { unlocode: string; name: string; lat: number; lon: number; routes: number };

export type Traffic = { ports: PortTraffic[]; legs: Leg[] };

/**
 * For all matching routes: their ports, busiest first and then by name, and the traffic between them. The same object as long
 * as the search index stays the same.
 */
export const trafficOf = async (ctx: Pick<Context, "db" | "clock">, search: RouteSearch): Promise<Traffic> => {
  const catalogue = await indexedCatalogue(ctx);
  const found = catalogue.find(search);
  const known = trafficOfFound.get(found);
  if (known) return known;
  const ids = found.ids();
  const traffic = { ports: portsOf(catalogue, ids), legs: await legsOfRoutes(ctx.db, ids) };
  trafficOfFound.set(found, traffic);
  return traffic;
};
const trafficOfFound = new WeakMap<Found, Traffic>();

const portsOf = ({ directory, routes }: IndexedCatalogue, ids: readonly number[]): PortTraffic[] => {
  const countById = new Map<number, number>();
  for (const id of ids) {
    const { originId, destinationId } = routes.get(id) as IndexedRoute;
    for (const end of new Set([originId, destinationId])) countById.set(end, (countById.get(end) ?? 0) + 1);
  }
  return directory.ports
    .flatMap(({ id, unlocode, name, lat, lon }) => {
      const count = countById.get(id);
      return count === undefined ? [] : [{ unlocode, name, lat, lon, routes: count }];
    })
    .sort((a, b) => b.routes - a.routes);
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
  /** Of the latest sets of routes, by their fingerprints: most changes of the search index leave the geometry as it is. */
  legs: Map<string, Leg[]>;
};

const cacheOf = perDatabase((): Known => ({ ways: new Map(), legs: new Map() }));
const mostLegsKept = 10;

const legsOfRoutes = async (db: Context["db"], ids: number[]): Promise<Leg[]> => {
  const { legs } = cacheOf(db);
  const fingerprint = await queries.fingerprintOfRoutes(db, ids);
  const found = legs.get(fingerprint) ?? legsOf(await waysOf(db, await queries.versionsOfRoutes(db, ids)));
  legs.delete(fingerprint);
  legs.set(fingerprint, found);
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
