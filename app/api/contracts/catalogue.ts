import { z } from "zod";
import { routeFilter } from "../../domain/catalogue/browse.ts";
import {
  bookingStatuses,
  capacityUnits,
  cargoTypes,
  freshnesses,
  rateBases,
  reportTypes,
  serviceLevelNames,
} from "../../domain/catalogue/enums.ts";
import { equipmentCode } from "../../domain/catalogue/equipment.ts";
import { comparisonSpeedKnots } from "../../domain/catalogue/searoutes.ts";
import { accessReasons, maxCheckedRoutes } from "../../domain/subscriptions/access.ts";
import { endpoint } from "../endpoint.ts";
import {
  cents,
  currencyCode,
  day,
  id,
  idText,
  instant,
  instantText,
  localInstant,
  named,
  nextCursor,
  pageQuery,
} from "./shapes.ts";

export const unlocodeShape = z.string().meta({ description: "UN/LOCODE.", example: "CNSHA" });

const location = z.object({ lat: z.number(), lon: z.number() });

export const port = z
  .object({
    unlocode: unlocodeShape,
    alternate_unlocodes: z.array(z.string()).meta({ description: "Other codes of the same harbour." }),
    name: z.string().meta({ example: "Shanghai" }),
    country_code: z.string().meta({ description: "ISO 3166-1 alpha-2.", example: "CN" }),
    country: z.string(),
    location,
    timezone: z.string().meta({ description: "IANA zone.", example: "Asia/Shanghai" }),
  })
  .meta({ id: "Port" });

const dataAge = {
  data_as_of: instant.nullable().meta({
    description: "The latest observation; null: there is none yet.",
    example: "2026-11-20T09:15:00Z",
  }),
  next_update_due: instant.nullable().meta({
    description:
      "When the next observation is due at the latest: 60 minutes (real_time), 24 hours (daily) or 7 days (weekly) after the last one, or sooner on some trade lanes. Null: the period has ended, or not begun.",
    example: "2026-11-20T10:15:00Z",
  }),
  is_stale: z.boolean().meta({
    description: "Whether the data is late: `next_update_due` has passed without a new observation.",
    example: false,
  }),
};

const periodOnSale = z
  .object({
    period_id: id,
    code: z.string().meta({ example: "2026-Q4" }),
    name: z.string().meta({ example: "From 1 October 2026" }),
    starts_on: day,
    ends_on: day.nullable().meta({ description: "Exclusive; null: still open." }),
    freshness: z.enum(freshnesses).meta({ description: "How often its data is renewed.", example: "daily" }),
    ...dataAge,
    monthly_cents: cents.meta({ description: "A month, before discounts: the price from which terms are calculated." }),
    currency: currencyCode,
    price_set_by_operator: z.boolean().meta({
      description:
        "Whether the service's operator has frozen or set monthly_cents, so that base price, freshness and popularity do not change it.",
      example: false,
    }),
  })
  .meta({ id: "PeriodOnSale" });

const publicRoute = {
  id,
  code: z.string().meta({ example: "C-CNSHA-NLRTM-PEL9" }),
  name: z.string().meta({ example: "Shanghai – Rotterdam" }),
  cargo_type: z.enum(cargoTypes),
  carrier: named.meta({ description: "Who operates the route." }),
  region: named.meta({ description: "Where the trade lane begins." }),
  trade_lane: named.meta({ description: "A directional trade between two regions." }),
  route_group: named.meta({ description: "Routes of one lane and kind." }),
  origin_port: port,
  destination_port: port,
  distance_nm: z.int().meta({ description: "Nautical miles." }),
  sailings_per_week: z.number().meta({ description: "Departures; 0.5 is one every other week." }),
  periods: z.array(periodOnSale).meta({ description: "On sale." }),
};

export const route = z
  .object({
    ...publicRoute,
    service_levels: z.array(z.enum(serviceLevelNames)),
    indicative_transit_days: z
      .object({ min: z.int(), max: z.int() })
      .meta({ description: "Of the fastest and the slowest service level." }),
    has_access: z.boolean().meta({ description: "Whether the account may read the route's data." }),
  })
  .meta({ id: "Route" });

export const allRoutes = endpoint({
  id: "listRoutes",
  tag: "Routes",
  method: "GET",
  path: "/route-access/all-routes",
  access: "bearer",
  summary: "Browse the catalogue",
  description: "What is public of every route, by name, and whether the account may read its data.",
  query: routeFilter.extend(pageQuery),
  answer: {
    status: 200,
    description: "Routes that fit every filter.",
    schema: z.object({ routes: z.array(route), next_cursor: nextCursor }),
  },
});

const rate = z.object({
  equipment_type: z
    .string()
    .nullable()
    .meta({ description: "ISO 6346 size-type of a container; else null.", example: "45G1" }),
  basis: z.string().meta({ description: "What the amount is for.", example: "per_container" }),
  amount_cents: cents,
  currency: currencyCode,
  valid_from: day,
  valid_to: day.nullable(),
});

/** A surcharge in the currency of the base rate. */
const converted = z
  .object({
    amount_cents: cents.meta({ description: "Rounded half up.", example: 26_781 }),
    currency: currencyCode,
    rate: z.string().meta({
      description: "One unit of the surcharge's currency in this currency, as a decimal.",
      example: "1.0931",
    }),
    as_of: day.meta({ description: "The day of the exchange rate.", example: "2026-11-13" }),
    source: z.string().meta({ description: "Who published it.", example: "ECB" }),
  })
  .nullable();

const reportedSurcharge = z
  .object({
    code: z.string().meta({ description: "The charge; `surcharges` of the route has its name.", example: "DTHC" }),
    amount_cents: cents.meta({ description: "As reported, in minor units of its own currency.", example: 24_500 }),
    currency: currencyCode.meta({ description: "ISO 4217.", example: "EUR" }),
    basis: z.enum(rateBases).meta({ description: "What the amount is for.", example: "per_container" }),
    converted: converted.meta({
      description: "The amount in the report's currency. Null: it is in that currency already.",
    }),
  })
  .meta({ id: "ReportedSurcharge" });

const report = z
  .object({
    id: z.int(),
    code: z.string().meta({ example: "rate-standard-45G1-2026-11-16" }),
    name: z.string().meta({ example: "Weekly rate 45G1, 2026-11-16" }),
    period_id: id,
    report_type: z.enum(reportTypes),
    observed_at: instant,
    departure: z
      .object({
        vessel: z.string().nullable().meta({ example: "Pelorin Meridian" }),
        voyage: z.string().nullable().meta({ description: "The carrier's number of the sailing.", example: "047W" }),
        etd: instant.nullable().meta({ description: "Estimated time of departure.", example: "2026-11-24T06:00:00Z" }),
        eta: instant.nullable().meta({ description: "Estimated time of arrival.", example: "2026-12-25T18:00:00Z" }),
      })
      .nullable(),
    service_level: z.enum(serviceLevelNames),
    transit_days: z.number().nullable().meta({ description: "Days from departure to arrival.", example: 31 }),
    equipment_type: z.string().nullable().meta({
      description: "ISO 6346 size and type of the container that a rate is for. Each type has a series of its own.",
      example: "45G1",
    }),
    basis: z.enum(rateBases).nullable().meta({
      description: "What the base rate and the surcharges are for. Null in reports without a rate.",
      example: "per_container",
    }),
    currency: currencyCode.nullable().meta({
      description: "ISO 4217, of every amount that has no currency of its own. Null in reports without a rate.",
    }),
    base_rate_cents: cents.nullable().meta({ example: 431_000 }),
    surcharges: z.array(reportedSurcharge).nullable().meta({
      description: "Each surcharge, for one unit of the basis. Null: not reported one by one.",
    }),
    surcharges_cents: cents.nullable().meta({ description: "Their total. Null: not reported.", example: 112_700 }),
    all_in_cents: cents.nullable().meta({
      description: "The base rate with all surcharges. Null: one of them was not reported.",
      example: 543_700,
    }),
    available_capacity: z.int().nullable().meta({ description: "In `capacity_unit`.", example: 420 }),
    capacity_unit: z.enum(capacityUnits).nullable().meta({
      description: "What capacity is counted in. Null in reports without it.",
      example: "TEU",
    }),
    booking_status: z.enum(bookingStatuses).nullable(),
    on_time_percent: z.number().nullable().meta({ description: "Arrivals within a day of schedule.", example: 71.5 }),
    mean_delay_days: z.number().nullable().meta({ example: 1.4 }),
  })
  .meta({ id: "Report" });

const coordinates = z.tuple([z.number(), z.number()]);

export const routeData = z
  .object({
    ...publicRoute,
    passages: z.array(z.string()).meta({ description: "Canals and straits on the way." }),
    transhipment_count: z.int(),
    transhipment_ports: z
      .array(z.object({ unlocode: unlocodeShape, name: z.string().meta({ example: "Singapore" }) }))
      .meta({
        description: "Where the cargo changes vessels on the next sailing; empty without a published schedule.",
      }),
    intermediate_port_calls: z.int(),
    waypoints: z.array(
      z.object({
        sequence_number: z.int(),
        name: z.string(),
        type: z.string(),
        location,
        distance_from_origin_nm: z.number(),
        days_from_departure: z.number().meta({ description: "At the speed of the first service level." }),
      }),
    ),
    geometry: z
      .object({ type: z.literal("MultiLineString"), coordinates: z.array(z.array(coordinates)) })
      .meta({ description: "GeoJSON, cut at the 180th meridian. Schematic, not for navigation." }),
    alternatives: z
      .array(
        z.object({
          via: z.string().meta({ description: "What sets the route apart.", example: "Cape of Good Hope" }),
          passages: z.array(z.string()).meta({ description: "Canals and straits on the way." }),
          distance_nm: z.int().meta({ example: 13_829 }),
          extra_distance_nm: z.int().meta({
            description: "Compared with the route by its own canals. Negative if the alternative is shorter.",
            example: 3_292,
          }),
          extra_days: z
            .number()
            .meta({ description: `What that takes at ${comparisonSpeedKnots} knots, in days.`, example: 9.8 }),
        }),
      )
      .meta({
        description:
          "Sea routes between the same ports that avoid the Suez Canal, the Panama Canal or both, as far as they differ from the route. Calculated on a schematic sea network, not for navigation.",
      }),
    departures: z
      .array(
        z.object({
          departs_on: day.meta({ description: "By the clock of the origin port." }),
          arrives_on: day.meta({ description: "By the clock of the destination port." }),
          service_level: z.enum(serviceLevelNames),
          service_code: z.string().meta({ description: "The carrier's code of the service.", example: "PE47" }),
          voyage: z.string().meta({ description: "The carrier's voyage number.", example: "2648W" }),
          vessel: z.string().nullable().meta({ example: "Pelorin Meridian Bridge" }),
          etd: localInstant.meta({ description: "Estimated time of departure, by the clock of the origin port." }),
        }),
      )
      .meta({
        description:
          "The next sailings, each at every service level. The whole schedule with cut-offs and legs: /route-access/schedules.",
      }),
    service_levels: z.array(
      z.object({
        service_level: z.enum(serviceLevelNames),
        speed_knots: z.number(),
        transit_days: z.int(),
        base_rates: z.array(rate),
      }),
    ),
    surcharges: z.array(
      z.object({
        code: z.string().meta({ example: "DTHC" }),
        name: z.string().meta({ example: "Terminal Handling Charge – Destination" }),
        amount_cents: cents.meta({ description: "In minor units of its own currency.", example: 24_500 }),
        currency: currencyCode.meta({ description: "ISO 4217.", example: "EUR" }),
        basis: z.string().meta({ description: "What the amount is for.", example: "per_container" }),
        converted: converted.meta({
          description: "The amount in the currency of the base rates. Null: it is in that currency already.",
        }),
        mandatory: z.boolean().meta({ description: "Whether every booking pays it." }),
        valid_from: day,
        valid_to: day.nullable(),
      }),
    ),
    capacity: z.object({
      unit: z.enum(capacityUnits),
      nominal: z.int(),
      available: z.int(),
      utilization_percent: z.number(),
      booking_status: z.enum(bookingStatuses),
      observed_at: instant,
    }),
    access: z
      .object({ reason: z.enum(accessReasons), access_until: day.nullable() })
      .meta({ description: "Why the account may read this, and the first day on which it may not." }),
    all_periods: z.array(
      z.object({
        period_id: id,
        code: z.string().meta({ example: "2026-Q4" }),
        name: z.string().meta({ example: "From 1 October 2026" }),
        starts_on: day,
        ends_on: day.nullable(),
        freshness: z.enum(freshnesses),
        ...dataAge,
        has_access: z.boolean(),
      }),
    ),
    updated_at: instant,
    reports: z.array(report).meta({ description: "Newest first." }),
    next_cursor: nextCursor,
  })
  .meta({ id: "RouteData" });

const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `Must be one of ${words.join(", ")}`);

export const routeDataQuery = z.object({
  id: idText.meta({ description: "The route." }),
  period_id: idText.optional().meta({ description: "Only reports of this period." }),
  report_type: oneOf(reportTypes).optional().meta({ description: "Only reports of this type.", example: "rate" }),
  service_level: oneOf(serviceLevelNames).optional().meta({ description: "Only reports of this service level." }),
  equipment_type: z
    .string()
    .toUpperCase()
    .regex(equipmentCode, "Must be an ISO 6346 size and type code, such as 45G1")
    .optional()
    .meta({ description: "Only rates of this container type.", override: { type: "string" }, example: "45G1" }),
  from: instantText.optional().meta({ description: "Reports observed from here on." }),
  to: instantText.optional().meta({ description: "Reports observed before." }),
  ...pageQuery,
});

const readsRouteData = {
  tag: "Routes",
  method: "GET",
  summary: "Read a route's data",
  description:
    "The whole record of a route with its reports. Needs a running subscription; one opens its period and the route's history.",
  query: routeDataQuery,
  answer: { status: 200, description: "The route, and a page of its reports.", schema: routeData },
  refusals: ["forbidden", "not_found"],
  conditional: true,
  routeIdParameter: "id",
} as const;

export const routeDataByKey = endpoint({
  ...readsRouteData,
  id: "getRouteDataByKey",
  summary: "Read a route's data with an API key",
  path: "/api-routes-data",
  access: "key",
  refusals: [...readsRouteData.refusals],
});
export const routeDataByBearer = endpoint({
  ...readsRouteData,
  id: "getRouteData",
  path: "/route-access/routes-data",
  access: "bearer",
  refusals: [...readsRouteData.refusals],
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
  summary: "Ask whether the account may read routes",
  body: z
    .strictObject({ route_id: id.optional(), route_ids: z.array(id).min(1).max(maxCheckedRoutes).optional() })
    .meta({ override: { oneOf: [{ required: ["route_id"] }, { required: ["route_ids"] }] } })
    .transform(({ route_id, route_ids }, ctx) => {
      if (route_id !== undefined && route_ids === undefined) return { route_ids: [route_id], single: true };
      if (route_id === undefined && route_ids !== undefined) return { route_ids, single: false };
      ctx.addIssue({ code: "custom", path: ["route_id"], message: "Give either route_id or route_ids" });
      return z.NEVER;
    }),
  answer: {
    status: 200,
    description: "One entry per route, in the order asked; asked for a single route_id, its fields at the top as well.",
    schema: z.object({ ...z.object(routeAccess).partial().shape, routes: z.array(z.object(routeAccess)) }),
  },
  refusals: ["not_found"],
});
