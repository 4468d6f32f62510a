/** Lists of regions, trade lanes, route groups, ports and carriers as JSON documents. */
import type { CarrierRecord, PortRecord } from "../../domain/catalogue/directory.ts";
import type { Figures, RegionNode, RouteGroupNode, TradeLaneNode } from "../../domain/catalogue/hierarchy.ts";
import type { Suggestions } from "../../domain/catalogue/suggest.ts";
import { currency } from "../../domain/money.ts";
import { portDocument } from "./catalogue.ts";

export const regionDocument = (region: RegionNode) => ({
  id: region.id,
  code: region.code,
  name: region.name,
  geography: region.geography,
  trade_lane_count: region.tradeLanes,
  route_group_count: region.routeGroups,
  ...figures(region),
});

export const tradeLaneDocument = (lane: TradeLaneNode) => ({
  id: lane.id,
  code: lane.code,
  name: lane.name,
  haul: lane.haul,
  region: lane.region,
  origin_region: lane.originRegion,
  destination_region: lane.destinationRegion,
  route_group_count: lane.routeGroups,
  ...figures(lane),
});

export const routeGroupDocument = (group: RouteGroupNode) => ({
  id: group.id,
  code: group.code,
  name: group.name,
  cargo_type: group.cargoType,
  region: group.region,
  trade_lane: group.tradeLane,
  ...figures(group),
});

export const portRecordDocument = (port: PortRecord) => ({
  id: port.id,
  ...portDocument(port),
  region: port.region,
  cargo_types: port.cargoTypes,
  departing_route_count: port.departingRoutes,
  arriving_route_count: port.arrivingRoutes,
});

export const carrierDocument = (carrier: CarrierRecord) => ({
  id: carrier.id,
  code: carrier.code,
  name: carrier.name,
  cargo_types: carrier.cargoTypes,
  route_count: carrier.routes,
});

export const suggestionsDocument = ({ ports, pairs }: Suggestions) => ({
  ports: ports.map(({ departingRoutes, arrivingRoutes, ...place }) => ({
    ...placeDocument(place),
    departing_route_count: departingRoutes,
    arriving_route_count: arrivingRoutes,
  })),
  pairs: pairs.map(({ origin, destination, routes }) => ({
    origin: placeDocument(origin),
    destination: placeDocument(destination),
    route_count: routes,
  })),
});

const placeDocument = ({ unlocode, name, countryCode, country }: Suggestions["pairs"][number]["origin"]) => ({
  unlocode,
  name,
  country_code: countryCode,
  country,
});

const figures = (node: Figures) => ({
  route_count: node.routes,
  carrier_count: node.carriers,
  median_transit_days: node.medianTransitDays,
  sailings_per_week: node.sailingsPerWeek,
  monthly_from_cents: node.priceFromCents,
  currency,
});
