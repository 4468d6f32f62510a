/** Routes for pages: only the fields that a page sends to the browser. */
import type { PortSummary, RouteSummary } from "../domain/catalogue/browse.ts";
import { type Buyer, offerOf } from "../domain/pricing/own-price.ts";
import { type PriceView, priceFromView } from "./price-view.ts";

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
  /** Of one month, the lowest; null if nothing is on sale. */
  priceFrom: PriceView | null;
  hasAccess: boolean;
  isSample: boolean;
};

export const routeRow = (route: RouteSummary, hasAccess: boolean, buyer: Buyer): RouteRow => ({
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
  priceFrom: priceFromView(buyer, route.periods.map(offerOf)),
  hasAccess,
  isSample: route.isSample,
});

const portView = ({ name, unlocode, lon, lat }: PortSummary): PortView => ({ name, unlocode, lon, lat });
