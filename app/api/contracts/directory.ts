import { z } from "zod";
import {
  carrierFilter,
  portFilter,
  regionFilter,
  routeGroupFilter,
  tradeLaneFilter,
} from "../../domain/catalogue/directory.ts";
import { cargoTypes, hauls } from "../../domain/catalogue/enums.ts";
import { endpoint } from "../endpoint.ts";
import { port } from "./catalogue.ts";
import { cents, currencyCode, id, named, nextCursor, pageQuery } from "./shapes.ts";

const count = (description: string, example: number) => z.int().meta({ description, example });

const figures = {
  route_count: count("Routes in the catalogue.", 214),
  carrier_count: count("Carriers that operate them.", 11),
  median_transit_days: z
    .number()
    .nullable()
    .meta({ description: "Over each route's fastest service level; null without routes.", example: 29.5 }),
  sailings_per_week: z.number().meta({ description: "Departures of all routes together.", example: 318.5 }),
  monthly_from_cents: cents
    .nullable()
    .meta({ description: "The lowest price of a month; null: nothing is on sale.", example: 39_200 }),
  currency: currencyCode,
};

const region = z
  .object({
    id: id.meta({ example: 1 }),
    code: z.string().meta({ example: "EAS" }),
    name: z.string().meta({ example: "East Asia" }),
    geography: z.string().meta({ description: "The part of the world.", example: "asia" }),
    trade_lane_count: count("Trade lanes of the region.", 9),
    route_group_count: count("Route groups of these lanes.", 41),
    ...figures,
  })
  .meta({ id: "Region" });

const tradeLane = z
  .object({
    id: id.meta({ example: 1 }),
    code: z.string().meta({ example: "EAS-NEU" }),
    name: z.string().meta({ example: "Asia – North Europe (westbound)" }),
    haul: z.enum(hauls).meta({ description: "Whether most of the trade goes this way." }),
    region: named.meta({ description: "The region that the lane belongs to." }),
    origin_region: named.meta({
      description: "Where the lane begins.",
      example: { id: 1, code: "EAS", name: "East Asia" },
    }),
    destination_region: named.meta({
      description: "Where the lane ends.",
      example: { id: 5, code: "NEU", name: "North Europe" },
    }),
    route_group_count: count("Route groups of the lane.", 6),
    ...figures,
  })
  .meta({ id: "TradeLane" });

const routeGroup = z
  .object({
    id: id.meta({ example: 1 }),
    code: z.string().meta({ example: "EAS-NEU-C-CN" }),
    name: z.string().meta({ example: "China to North Europe – container" }),
    cargo_type: z.enum(cargoTypes),
    region: named.meta({ description: "The region of the trade lane." }),
    trade_lane: named,
    ...figures,
  })
  .meta({ id: "RouteGroup" });

const cargoTypesHandled = z.array(z.enum(cargoTypes)).meta({ example: ["container"] });

const portRecord = z
  .object({
    id: id.meta({ example: 17 }),
    ...port.shape,
    alternate_unlocodes: port.shape.alternate_unlocodes.meta({ example: ["CNSGH"] }),
    country: port.shape.country.meta({ example: "China" }),
    location: port.shape.location.meta({ example: { lat: 31.36, lon: 121.64 } }),
    region: named,
    cargo_types: cargoTypesHandled.meta({ description: "What the port handles." }),
    departing_route_count: count("Routes that begin here.", 96),
    arriving_route_count: count("Routes that end here.", 88),
  })
  .meta({ id: "PortRecord" });

const carrier = z
  .object({
    id: id.meta({ example: 5 }),
    code: z.string().meta({ example: "PEL9" }),
    name: z.string().meta({ example: "Pelorin Lines (demo)" }),
    cargo_types: cargoTypesHandled.meta({ description: "What the carrier carries." }),
    route_count: count("Routes of the carrier.", 131),
  })
  .meta({ id: "Carrier" });

const listed = { tag: "Catalogue", method: "GET", access: "bearer", conditional: true } as const;

export const regions = endpoint({
  ...listed,
  id: "listRegions",
  path: "/catalogue/regions",
  summary: "List regions",
  description: "The top of the catalogue, by code. Figures cover the routes that begin in the region.",
  query: regionFilter.extend(pageQuery),
  answer: {
    status: 200,
    description: "Regions that fit every filter, those without routes included.",
    schema: z.object({ regions: z.array(region), next_cursor: nextCursor }),
  },
});

export const tradeLanes = endpoint({
  ...listed,
  id: "listTradeLanes",
  path: "/catalogue/trade-lanes",
  summary: "List trade lanes",
  description: "Directional trades between two regions, by code.",
  query: tradeLaneFilter.extend(pageQuery),
  answer: {
    status: 200,
    description: "Trade lanes that fit every filter.",
    schema: z.object({ trade_lanes: z.array(tradeLane), next_cursor: nextCursor }),
  },
});

export const routeGroups = endpoint({
  ...listed,
  id: "listRouteGroups",
  path: "/catalogue/route-groups",
  summary: "List route groups",
  description: "Groups of routes of one trade lane and cargo type, by code.",
  query: routeGroupFilter.extend(pageQuery),
  answer: {
    status: 200,
    description: "Route groups that fit every filter.",
    schema: z.object({ route_groups: z.array(routeGroup), next_cursor: nextCursor }),
  },
});

export const ports = endpoint({
  ...listed,
  id: "listPorts",
  path: "/catalogue/ports",
  summary: "List ports",
  description: "Ports of the catalogue, by UN/LOCODE. A search finds alternate codes as well.",
  query: portFilter.extend(pageQuery),
  answer: {
    status: 200,
    description: "Ports that fit every filter.",
    schema: z.object({ ports: z.array(portRecord), next_cursor: nextCursor }),
  },
});

export const carriers = endpoint({
  ...listed,
  id: "listCarriers",
  path: "/catalogue/carriers",
  summary: "List carriers",
  description: "Carriers of the catalogue, by code.",
  query: carrierFilter.extend(pageQuery),
  answer: {
    status: 200,
    description: "Carriers that fit every filter.",
    schema: z.object({ carriers: z.array(carrier), next_cursor: nextCursor }),
  },
});
