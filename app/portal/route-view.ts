/** Routes for pages: only the fields that a page sends to the browser. */
import type { PortSummary, RouteSummary } from "../domain/catalogue/browse.ts";
import { monthlyPriceCents } from "../domain/pricing/quote.ts";

export type PortView = Pick<PortSummary, "name" | "unlocode" | "lon" | "lat">;

export type RouteRow = {
  id: number;
  code: string;
  name: string;
  cargoType: string;
  carrier: string;
  tradeLane: string;
  origin: PortView;
  destination: PortView;
  transitDays: { min: number; max: number };
  distanceNm: number;
  sailingsPerWeek: number;
  /** Per month; null if nothing is on sale. */
  priceFromCents: number | null;
  hasAccess: boolean;
};

export const routeRow = (route: RouteSummary, hasAccess: boolean): RouteRow => ({
  id: route.id,
  code: route.code,
  name: route.name,
  cargoType: route.cargoType,
  carrier: route.carrier.name,
  tradeLane: route.tradeLane.name,
  origin: portView(route.origin),
  destination: portView(route.destination),
  transitDays: route.transitDays,
  distanceNm: route.distanceNm,
  sailingsPerWeek: route.sailingsPerWeek,
  priceFromCents: route.periods.length > 0 ? Math.min(...route.periods.map(monthlyPriceCents)) : null,
  hasAccess,
});

const portView = ({ name, unlocode, lon, lat }: PortSummary): PortView => ({ name, unlocode, lon, lat });
