import { z } from "zod";
import {
  carrierFilter,
  portFilter,
  regionFilter,
  routeGroupFilter,
  tradeLaneFilter,
} from "../../domain/catalogue/directory.ts";
import { cargoTypes, hauls } from "../../domain/catalogue/enums.ts";
import { suggestionLimits, suggestionQuery } from "../../domain/catalogue/suggest.ts";
import { catalogueColumns } from "../../domain/exports/catalogue-columns.ts";
import { endpoint } from "../endpoint.ts";
import { port } from "./catalogue.ts";
import { cents, currencyCode, id, named, nextCursor, numberText, pageQuery } from "./shapes.ts";

const exportedRoute =
  "109,C-CNSHA-NLRTM-PEL9,Shanghai – Rotterdam,container,PEL9,Pelorin Ocean Lines,EAS,EAS-NEU,Asia – North Europe (westbound),EAS-NEU-C-CN,CNSHA,Shanghai,CN,NLRTM,Rotterdam,NL,10525,1,standard,31,31,daily,49000,USD";

const count = (description: string, example: number) => z.int().meta({ description, example });

const figures = {
  route_count: count("Number of routes.", 214),
  carrier_count: count("Number of carriers that operate them.", 11),
  median_transit_days: z.number().nullable().meta({
    description: "Median transit days of the routes, each at its fastest service level. Null without routes.",
    example: 29.5,
  }),
  sailings_per_week: z.number().meta({ description: "Departures per week of all routes together.", example: 318.5 }),
  monthly_from_cents: cents.nullable().meta({
    description: "The lowest list price per month, before discounts. Null: nothing is on sale.",
    example: 39_200,
  }),
  currency: currencyCode,
};

const region = z
  .object({
    id: id.meta({ example: 1 }),
    code: z.string().meta({ example: "EAS" }),
    name: z.string().meta({ example: "East Asia" }),
    geography: z.string().meta({ description: "The part of the world.", example: "asia" }),
    trade_lane_count: count("Number of trade lanes of the region.", 9),
    route_group_count: count("Number of route groups of these trade lanes.", 41),
    ...figures,
  })
  .meta({ id: "Region" });

const tradeLane = z
  .object({
    id: id.meta({ example: 18 }),
    code: z.string().meta({ example: "EAS-NEU" }),
    name: z.string().meta({ example: "Asia – North Europe (westbound)" }),
    haul: z
      .enum(hauls)
      .meta({ description: "headhaul: the direction with most of the cargo; backhaul: the opposite." }),
    region: named.meta({ description: "The region that the trade lane belongs to." }),
    origin_region: named.meta({
      description: "The region where the trade lane begins.",
      example: { id: 1, code: "EAS", name: "East Asia" },
    }),
    destination_region: named.meta({
      description: "The region where the trade lane ends.",
      example: { id: 5, code: "NEU", name: "North Europe" },
    }),
    route_group_count: count("Number of route groups of the trade lane.", 6),
    ...figures,
  })
  .meta({ id: "TradeLane" });

const routeGroup = z
  .object({
    id: id.meta({ example: 67 }),
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
    id: id.meta({ example: 123 }),
    ...port.shape,
    alternate_unlocodes: port.shape.alternate_unlocodes.meta({ example: ["CNSGH"] }),
    country: port.shape.country.meta({ example: "China" }),
    location: port.shape.location.meta({ example: { lat: 31.36, lon: 121.64 } }),
    region: named,
    cargo_types: cargoTypesHandled.meta({ description: "The cargo types that the port handles." }),
    departing_route_count: count("Number of routes that begin here.", 96),
    arriving_route_count: count("Number of routes that end here.", 88),
  })
  .meta({ id: "PortRecord" });

const carrier = z
  .object({
    id: id.meta({ example: 15 }),
    code: z.string().meta({ example: "PEL9" }),
    name: z.string().meta({ example: "Pelorin Lines (demo)" }),
    cargo_types: cargoTypesHandled.meta({ description: "The cargo types of the carrier's routes." }),
    route_count: count("Number of routes of the carrier.", 131),
  })
  .meta({ id: "Carrier" });

const listed = { tag: "Catalogue", method: "GET", access: "bearer", conditional: true } as const;

export const regions = endpoint({
  ...listed,
  id: "listRegions",
  path: "/catalogue/regions",
  summary: "List regions",
  description: "The top level of the catalogue, by code. The figures cover the routes that begin in the region.",
  query: regionFilter.extend(pageQuery),
  answer: {
    status: 200,
    description: "Regions that match all filters, including those without routes.",
    schema: z.object({ regions: z.array(region), next_cursor: nextCursor }),
  },
});

export const tradeLanes = endpoint({
  ...listed,
  id: "listTradeLanes",
  path: "/catalogue/trade-lanes",
  summary: "List trade lanes",
  description: "Trades from one region to another, by code.",
  query: tradeLaneFilter.extend(pageQuery),
  answer: {
    status: 200,
    description: "Trade lanes that match all filters.",
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
    description: "Route groups that match all filters.",
    schema: z.object({ route_groups: z.array(routeGroup), next_cursor: nextCursor }),
  },
});

export const ports = endpoint({
  ...listed,
  id: "listPorts",
  path: "/catalogue/ports",
  summary: "List ports",
  description: "Ports of the catalogue, by UN/LOCODE. A search also finds alternative codes.",
  query: portFilter.extend(pageQuery),
  answer: {
    status: 200,
    description: "Ports that match all filters.",
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
    description: "Carriers that match all filters.",
    schema: z.object({ carriers: z.array(carrier), next_cursor: nextCursor }),
  },
});

const place = z
  .object({
    unlocode: port.shape.unlocode,
    name: port.shape.name,
    country_code: port.shape.country_code,
    country: port.shape.country.meta({ example: "China" }),
  })
  .meta({ id: "Place" });

export const suggestions = endpoint({
  ...listed,
  id: "suggestPorts",
  path: "/catalogue/suggestions",
  summary: "Suggest ports and port pairs",
  description:
    "For autocomplete fields. Finds names, codes and aliases of ports, countries and regions, and tolerates typing errors. Best match first.",
  query: suggestionQuery.extend({
    limit: numberText(1, suggestionLimits.most)
      .default(suggestionLimits.default)
      .meta({
        description: "Maximum number of ports, and of port pairs.",
        override: { default: suggestionLimits.default },
      }),
  }),
  answer: {
    status: 200,
    description: "Ports that match all words, and port pairs with routes that match the words in this order.",
    schema: z.object({
      ports: z.array(
        z
          .object({
            ...place.shape,
            departing_route_count: count("Number of routes that begin here.", 96),
            arriving_route_count: count("Number of routes that end here.", 88),
          })
          .meta({ id: "PortSuggestion" }),
      ),
      pairs: z.array(
        z
          .object({
            origin: place,
            destination: place,
            route_count: count("Number of routes between the two ports.", 3),
          })
          .meta({ id: "PairSuggestion" }),
      ),
    }),
  },
});

export const exportCatalogue = endpoint({
  id: "exportCatalogue",
  tag: "Catalogue",
  method: "GET",
  path: "/catalogue/export",
  access: "public",
  summary: "Export the catalogue as CSV",
  description:
    "The public details of all routes in one file, one line per route, sorted by name. Several values in a cell are separated by `|`. Needs no account and costs one request.",
  answer: {
    status: 200,
    format: "csv",
    description: "RFC 4180, with a header line.",
    schema: z.string(),
  },
  files: {},
  example: {
    answer: `${catalogueColumns.map(({ name }) => name).join(",")}\r\n${exportedRoute}\r\n`,
  },
});
