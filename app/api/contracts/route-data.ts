import { z } from "zod";
import {
  bookingStatuses,
  capacityUnits,
  rateBases,
  reportTypes,
  serviceLevelNames,
} from "../../domain/catalogue/enums.ts";
import { equipmentCode } from "../../domain/catalogue/equipment.ts";
import { historyDays } from "../../domain/catalogue/policy.ts";
import { comparisonSpeedKnots } from "../../domain/catalogue/searoutes.ts";
import { accessReasons } from "../../domain/subscriptions/access.ts";
import { endpoint } from "../endpoint.ts";
import { location, period, publicRoute, unlocodeShape } from "./catalogue.ts";
import {
  cents,
  currencyCode,
  day,
  id,
  idText,
  instant,
  instantText,
  localInstant,
  nextCursor,
  pageQuery,
} from "./shapes.ts";

const rate = z.object({
  equipment_type: z
    .string()
    .nullable()
    .meta({ description: "ISO 6346 size and type of the container; null for other cargo.", example: "45G1" }),
  basis: z
    .string()
    .meta({ description: "The unit that the amount is for, such as one container.", example: "per_container" }),
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
      description: "The exchange rate: one unit of the surcharge's currency in this currency, as a decimal.",
      example: "1.0931",
    }),
    as_of: day.meta({ description: "The date of the exchange rate.", example: "2026-11-13" }),
    source: z.string().meta({ description: "The source of the exchange rate.", example: "ECB" }),
  })
  .nullable();

export const reportedSurcharge = z
  .object({
    code: z
      .string()
      .meta({ description: "The surcharge code. `surcharges` of the route has its name.", example: "DTHC" }),
    amount_cents: cents.meta({ description: "As reported, in minor units of its own currency.", example: 24_500 }),
    currency: currencyCode.meta({ description: "ISO 4217.", example: "EUR" }),
    basis: z
      .enum(rateBases)
      .meta({ description: "The unit that the amount is for, such as one container.", example: "per_container" }),
    converted: converted.meta({
      description: "The amount in the report's currency. Null: it is in that currency already.",
    }),
  })
  .meta({ id: "ReportedSurcharge" });

export const report = z
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
        voyage: z.string().nullable().meta({ description: "The carrier's voyage number.", example: "047W" }),
        etd: instant
          .nullable()
          .meta({ description: "Estimated time of departure.", example: "2026-11-24T06:00:00.000Z" }),
        eta: instant
          .nullable()
          .meta({ description: "Estimated time of arrival.", example: "2026-12-25T18:00:00.000Z" }),
      })
      .nullable(),
    service_level: z.enum(serviceLevelNames),
    transit_days: z.number().nullable().meta({ description: "Days from departure to arrival.", example: 31 }),
    equipment_type: z.string().nullable().meta({
      description: "ISO 6346 size and type of the container that the rate is for. Each type is a separate series.",
      example: "45G1",
    }),
    basis: z.enum(rateBases).nullable().meta({
      description: "The unit that base rate and surcharges are for. Null in reports without a rate.",
      example: "per_container",
    }),
    currency: currencyCode.nullable().meta({
      description:
        "ISO 4217. The currency of all amounts that have no separate currency. Null in reports without a rate.",
    }),
    base_rate_cents: cents.nullable().meta({ example: 431_000 }),
    surcharges: z.array(reportedSurcharge).nullable().meta({
      description: "The surcharges per unit of the basis. Null: only their total was reported, or nothing.",
    }),
    surcharges_cents: cents
      .nullable()
      .meta({ description: "Total of the surcharges. Null: not reported.", example: 112_700 }),
    all_in_cents: cents.nullable().meta({
      description: "Base rate and mandatory surcharges. Null: one of them was not reported.",
      example: 543_700,
    }),
    available_capacity: z.int().nullable().meta({ description: "In `capacity_unit`.", example: 420 }),
    capacity_unit: z.enum(capacityUnits).nullable().meta({
      description: "The unit of the capacity. Null in reports without capacity.",
      example: "TEU",
    }),
    booking_status: z.enum(bookingStatuses).nullable(),
    on_time_percent: z
      .number()
      .nullable()
      .meta({ description: "Share of arrivals within one day of schedule.", example: 71.5 }),
    mean_delay_days: z.number().nullable().meta({ example: 1.4 }),
  })
  .meta({ id: "Report" });

const coordinates = z.tuple([z.number(), z.number()]);

export const routeData = z
  .object({
    as_of: instant.nullable().meta({
      description: "The `as_of` of the request. Null: the data is current.",
      example: null,
    }),
    ...publicRoute,
    passages: z.array(z.string()).meta({ description: "Canals and straits of the routing." }),
    transhipment_count: z.int(),
    transhipment_ports: z
      .array(z.object({ unlocode: unlocodeShape, name: z.string().meta({ example: "Singapore" }) }))
      .meta({
        description: "Where the cargo is transhipped on the next sailing. Empty without a published schedule.",
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
          via: z
            .string()
            .meta({ description: "The distinctive passage of this routing.", example: "Cape of Good Hope" }),
          passages: z.array(z.string()).meta({ description: "Canals and straits of the routing." }),
          distance_nm: z.int().meta({ example: 13_829 }),
          extra_distance_nm: z.int().meta({
            description: "Compared with the route's own routing. Negative: the alternative is shorter.",
            example: 3_292,
          }),
          extra_days: z
            .number()
            .meta({ description: `Additional days at ${comparisonSpeedKnots} knots.`, example: 9.8 }),
        }),
      )
      .meta({
        description:
          "Other routings between the same ports that avoid the Suez Canal, the Panama Canal or both. Calculated on a schematic sea network, not for navigation.",
      }),
    departures: z
      .array(
        z.object({
          departs_on: day.meta({ description: "Local date of the origin port." }),
          arrives_on: day.meta({ description: "Local date of the destination port." }),
          service_level: z.enum(serviceLevelNames),
          service_code: z.string().meta({ description: "The carrier's service code.", example: "PE47" }),
          voyage: z.string().meta({ description: "The carrier's voyage number.", example: "2648W" }),
          vessel: z.string().nullable().meta({ example: "Pelorin Meridian Bridge" }),
          etd: localInstant.meta({ description: "Estimated time of departure, in the local time of the origin port." }),
        }),
      )
      .meta({
        description:
          "The next sailings, with one entry per service level. For the full schedule with cut-offs and legs, use /route-access/schedules.",
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
        basis: z
          .string()
          .meta({ description: "The unit that the amount is for, such as one container.", example: "per_container" }),
        converted: converted.meta({
          description: "The amount in the currency of the base rates. Null: it is in that currency already.",
        }),
        mandatory: z.boolean().meta({ description: "Whether it applies to every booking." }),
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
      .meta({ description: "Why the account has access, and the first day without access." }),
    all_periods: z.array(z.object({ ...period, has_access: z.boolean() })),
    updated_at: instant,
    reports: z.array(report).meta({ description: "Newest first." }),
    next_cursor: nextCursor,
  })
  .meta({ id: "RouteData" });

export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `Must be one of ${words.join(", ")}`);

/** Which reports to read, in the query of every endpoint that has them. */
export const reportFilters = {
  report_type: oneOf(reportTypes).optional().meta({ description: "Only reports of this type.", example: "rate" }),
  service_level: oneOf(serviceLevelNames).optional().meta({ description: "Only reports of this service level." }),
  equipment_type: z
    .string()
    .toUpperCase()
    .regex(equipmentCode, "Must be an ISO 6346 size and type code, such as 45G1")
    .optional()
    .meta({ description: "Only rates of this container type.", override: { type: "string" }, example: "45G1" }),
  from: instantText.optional().meta({ description: "Only reports observed at or after this time." }),
  to: instantText.optional().meta({ description: "Only reports observed before this time." }),
};

export const routeDataQuery = z.object({
  id: idText.meta({ description: "The route's ID." }),
  period_id: idText.optional().meta({ description: "Only reports of this period." }),
  ...reportFilters,
  as_of: instantText.optional().meta({
    description: [
      "Returns the data as we knew it at that time, without later corrections, reports and changes.",
      `A date means 00:00 UTC on that day. At most ${historyDays} days ago. Default: now.`,
    ].join(" "),
    example: "2026-11-13",
  }),
  ...pageQuery,
});

const readsRouteData = {
  tag: "Routes",
  method: "GET",
  summary: "Read a route's data",
  description:
    "All data of a route, with its reports. You need an active subscription, which covers its period and the route's history. Sample routes need none.",
  query: routeDataQuery,
  answer: { status: 200, description: "The route, with a page of its reports.", schema: routeData },
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
