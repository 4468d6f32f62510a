/** What else there is for somebody who looks at a port pair. */
import type { Context } from "../context.ts";
import type { CargoType } from "./route.ts";
import { indexedCatalogue } from "./search-index.server.ts";
import { type PairSuggestion, placesIn } from "./suggest.ts";

type Pair = { origin: string; destination: string };

/** A route between the same ports. `transitDays`: of the fastest service level. */
export type OtherRoute = {
  id: number;
  carrier: string;
  cargoType: CargoType;
  transitDays: number | null;
  sailingsPerWeek: number;
};

/** Pairs of ports near these, the nearest first. */
export const nearbyPairs = async (
  ctx: Pick<Context, "db" | "clock">,
  { origin, destination }: Pair,
  limit: number,
): Promise<PairSuggestion[]> => {
  const { directory, index } = await indexedCatalogue(ctx);
  const placeOf = placesIn(directory);
  return index.ports.findNear(origin, destination, limit).map(({ originId, destinationId, routes }) => ({
    origin: placeOf(originId),
    destination: placeOf(destinationId),
    routes,
  }));
};

/** Other routes between a route's ports, those with the same cargo first, then the fastest. */
export const otherRoutesOnPair = async (
  ctx: Pick<Context, "db" | "clock">,
  { id, cargoType, ...pair }: Pair & { id: number; cargoType: CargoType },
  limit: number,
): Promise<OtherRoute[]> => {
  const { directory, routes, find } = await indexedCatalogue(ctx);
  const carriers = new Map(directory.carriers.map((carrier) => [carrier.id, carrier.name]));
  const rank = (route: OtherRoute) => (route.cargoType === cargoType ? 0 : 1000) + (route.transitDays ?? 999);
  return find(pair)
    .ids()
    .flatMap((other) => {
      const route = other === id ? undefined : routes.get(other);
      if (!route) return [];
      const { cargoType, transitDays, sailingsPerWeek } = route;
      return [{ id: other, carrier: carriers.get(route.carrierId) ?? "", cargoType, transitDays, sailingsPerWeek }];
    })
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, limit);
};
