import { z } from "zod";
import { routeFilter } from "../../domain/catalogue/browse.ts";
import { cargoTypes, freshnesses, serviceLevelNames } from "../../domain/catalogue/enums.ts";
import { freshnessPercent, popularityBounds } from "../../domain/catalogue/priced-period.ts";
import { type FacetName, facetNames, routeOrders } from "../../domain/catalogue/search.ts";
import { accessReasons, maxCheckedRoutes } from "../../domain/subscriptions/access.ts";
import { endpoint } from "../endpoint.ts";
import { demoSample } from "../sample-route.ts";
import { priceFrom } from "./price-from.ts";
import { cents, currencyCode, day, id, instant, named, nextCursor, pageQuery } from "./shapes.ts";

export const unlocodeShape = z.string().meta({ description: "UN/LOCODE.", example: "CNSHA" });

export const location = z.object({ lat: z.number(), lon: z.number() });

export const port = z
  .object({
    unlocode: unlocodeShape,
    alternate_unlocodes: z.array(z.string()).meta({ description: "Alternative UN/LOCODEs of the port." }),
    name: z.string().meta({ example: "Shanghai" }),
    country_code: z.string().meta({ description: "ISO 3166-1 alpha-2.", example: "CN" }),
    country: z.string(),
    location,
    timezone: z.string().meta({ description: "IANA time zone.", example: "Asia/Shanghai" }),
  })
  .meta({ id: "Port" });

const dataAge = {
  data_as_of: instant.nullable().meta({
    description: "Time of the latest observation. Null: there is none yet.",
    example: "2026-11-20T09:15:00.000Z",
  }),
  next_update_due: instant.nullable().meta({
    description:
      "The latest time at which the next observation is due: 60 minutes (real_time), 24 hours (daily) or 7 days (weekly) after the last one, or sooner on some trade lanes. Null: the period has ended or has not begun.",
    example: "2026-11-20T10:15:00.000Z",
  }),
  is_stale: z.boolean().meta({
    description: "Whether the next update is overdue: `next_update_due` has passed without a new observation.",
    example: false,
  }),
};

/** Fields of every period. `period_id` repeats the id under the name that orders use. */
export const period = {
  id: id.meta({ example: demoSample.periodId }),
  period_id: id,
  code: z.string().meta({ example: "2026-Q4" }),
  name: z.string().meta({ example: "From 1 October 2026" }),
  starts_on: day,
  ends_on: day.nullable().meta({ description: "The first day after the period. Null: the period is open." }),
  successor_period_id: id
    .nullable()
    .meta({ description: "The period in which subscriptions continue when this one has ended.", example: null }),
  freshness: z.enum(freshnesses).meta({ description: "How often the data is updated.", example: "daily" }),
  ...dataAge,
};

const percent = (description: string, example: number) => z.int().meta({ description, example });

/** `daily 125, real time 160 …`. */
const freshnessInWords = `${freshnesses.map((one) => `${one} ${freshnessPercent[one]}`).join(", ")}.`;

const periodOnSale = z
  .object({
    ...period,
    monthly_cents: cents.meta({
      description: "The list price per month, before discounts. Term prices are calculated from it.",
    }),
    currency: currencyCode,
    price_set_by_operator: z.boolean().meta({
      description:
        "Whether we have set or frozen monthly_cents, so that base price, freshness and popularity do not change it.",
      example: false,
    }),
    price_factors: z
      .object({
        base_cents: cents.meta({
          description: "The base price per month of weekly data on the trade lane.",
          example: 49_000,
        }),
        freshness_percent: percent(freshnessInWords, 125),
        popularity_percent: percent(
          `${popularityBounds.min} to ${popularityBounds.max}, depending on the number of subscriptions to the route.`,
          80,
        ),
      })
      .meta({
        description:
          "How monthly_cents is calculated: base × freshness × popularity, rounded half up once. Not used while price_set_by_operator is true.",
      }),
  })
  .meta({ id: "PeriodOnSale" });

/** Fields of a route that need no subscription. */
export const publicRoute = {
  id: id.meta({ example: demoSample.routeId }),
  code: z.string().meta({ example: "C-CNSHA-NLRTM-PEL9" }),
  name: z.string().meta({ example: "Shanghai – Rotterdam" }),
  cargo_type: z.enum(cargoTypes),
  carrier: named.meta({ description: "The carrier that operates the route." }),
  region: named.meta({ description: "The region where the trade lane begins." }),
  trade_lane: named.meta({ description: "A trade from one region to another." }),
  route_group: named.meta({ description: "Routes of one trade lane and cargo type." }),
  origin_port: port,
  destination_port: port,
  distance_nm: z.int().meta({ description: "Nautical miles." }),
  sailings_per_week: z.number().meta({ description: "Departures per week. 0.5 is one every two weeks." }),
  is_sample: z.boolean().meta({
    description: "Whether every account can read its data without a subscription. Samples are not on sale.",
    example: false,
  }),
  periods: z.array(periodOnSale).meta({ description: "The periods on sale." }),
};

export const route = z
  .object({
    ...publicRoute,
    service_levels: z.array(z.enum(serviceLevelNames)),
    indicative_transit_days: z
      .object({ min: z.int(), max: z.int() })
      .meta({ description: "Transit days of the fastest and the slowest service level." }),
    has_access: z.boolean().meta({ description: "Whether the account can read the route's data." }),
    price_from: priceFrom.nullable().meta({
      description:
        "What the account pays for one month of the cheapest period, if it orders only this route. Null: nothing is on sale.",
    }),
  })
  .meta({ id: "Route" });

const facetValue = z
  .object({
    code: z.string().meta({ example: "EAS-NEU" }),
    name: z.string().meta({ example: "Asia – North Europe (westbound)" }),
    route_count: z.int().meta({ example: 101 }),
  })
  .meta({ id: "FacetValue" });

export const facets = z.object(
  Object.fromEntries(facetNames.map((name) => [name, z.array(facetValue)])) as Record<
    FacetName,
    z.ZodArray<typeof facetValue>
  >,
);

export const allRoutes = endpoint({
  id: "listRoutes",
  tag: "Routes",
  method: "GET",
  path: "/route-access/all-routes",
  access: "bearer",
  summary: "Browse the catalogue",
  description:
    "The public details of every route, and whether the account can read its data. Sorted by name, or with `q` by relevance.",
  query: routeFilter.extend({
    sort: z.enum(routeOrders).optional().meta({
      description:
        "The order. `relevance` is the default with `q`, `name` without. `transit`: fastest first; `price`: lowest first; `sailings`: most departures first.",
      example: "transit",
    }),
    facets: z
      .enum(["true", "false"])
      .optional()
      .meta({ description: "Whether to count the routes for each value of each filter.", example: "true" }),
    ...pageQuery,
  }),
  answer: {
    status: 200,
    description: "Routes that match all filters.",
    schema: z.object({
      routes: z.array(route),
      next_cursor: nextCursor,
      total: z.int().optional().meta({
        description: "Number of routes that match all filters, on all pages. Only with `facets=true`.",
        example: 214,
      }),
      facets: facets.optional().meta({
        description:
          "Number of routes for each value of each filter, given all other filters. Only with `facets=true`.",
      }),
    }),
  },
});

const routeAccess = {
  route_id: id,
  has_access: z.boolean(),
  reason: z.enum(accessReasons),
  access_until: day.nullable(),
};

export const checkAccess = endpoint({
  id: "checkAccess",
  tag: "Routes",
  method: "POST",
  path: "/route-access/check-access",
  access: "bearer",
  summary: "Check access to routes",
  body: z
    .strictObject({ route_id: id.optional(), route_ids: z.array(id).min(1).max(maxCheckedRoutes).optional() })
    .meta({ override: { oneOf: [{ required: ["route_id"] }, { required: ["route_ids"] }] } })
    .transform(({ route_id, route_ids }, ctx) => {
      if (route_id !== undefined && route_ids === undefined) return { route_ids: [route_id], single: true };
      if (route_id === undefined && route_ids !== undefined) return { route_ids, single: false };
      ctx.addIssue({ code: "custom", path: ["route_id"], message: "Send either route_id or route_ids" });
      return z.NEVER;
    }),
  answer: {
    status: 200,
    description:
      "One entry per route, in the order of the request. For a request with route_id, its fields are also at the top level.",
    schema: z.object({ ...z.object(routeAccess).partial().shape, routes: z.array(z.object(routeAccess)) }),
  },
  refusals: ["not_found"],
});
