/** The catalogue as a tree: region › trade lane › route group › route. @spec What the service does */
import type { Named } from "./browse.ts";
import type { CargoType, Haul } from "./route.ts";

/** Aggregated figures of several routes. */
export type Figures = {
  routes: number;
  tradeLanes: number;
  routeGroups: number;
  carriers: number;
  /** The median over each route's fastest service level. Null without routes. */
  medianTransitDays: number | null;
  /** Of all routes together. */
  sailingsPerWeek: number;
  /** The lowest list price of a month on sale. Null: nothing is on sale. */
  priceFromCents: number | null;
  /** The cheapest of the routes that were asked for apart, and the cheapest of all others, as far as there are such. */
  cheapest: CheapestRoute[];
};

/** The route with the lowest list price of a month among several. */
export type CheapestRoute = { routeId: number; monthlyCents: number };

export type RegionNode = Named & { geography: string } & Figures;
export type TradeLaneNode = Named & {
  /** Where the catalogue files the lane. */
  region: Named;
  originRegion: Named;
  destinationRegion: Named;
  haul: Haul;
} & Figures;
export type RouteGroupNode = Named & { region: Named; tradeLane: Named; cargoType: CargoType } & Figures;
