/** The catalogue as a tree to walk down: region › trade lane › route group › route. @spec What the service does */
import type { Named } from "./browse.ts";
import type { CargoType, Haul } from "./route.ts";

/** What can be said of many routes at once. */
export type Figures = {
  routes: number;
  tradeLanes: number;
  routeGroups: number;
  carriers: number;
  /** Of each route's fastest service level; null without routes. */
  medianTransitDays: number | null;
  /** Departures of all routes together. */
  sailingsPerWeek: number;
  /** A month of the cheapest route on sale; null: nothing is. */
  priceFromCents: number | null;
};

export type RegionNode = Named & { geography: string } & Figures;
export type TradeLaneNode = Named & {
  region: Named;
  destinationRegion: Named;
  haul: Haul;
} & Figures;
export type RouteGroupNode = Named & { region: Named; tradeLane: Named; cargoType: CargoType } & Figures;
