import { z } from "zod";
import { unlocode } from "../../domain/catalogue/browse.ts";
import {
  bookingStatuses,
  capacityUnits,
  cargoTypes,
  rateBases,
  serviceLevelNames,
} from "../../domain/catalogue/enums.ts";
import { comparedFields, comparisonOrders } from "../../domain/comparison/compare.ts";
import { accessReasons } from "../../domain/subscriptions/access.ts";
import { endpoint } from "../endpoint.ts";
import { demoSample } from "../sample-route.ts";
import { change, equipmentQuery } from "./benchmarks.ts";
import { port } from "./catalogue.ts";
import { priceFrom } from "./price-from.ts";
import { reportedSurcharge } from "./route-data.ts";
import { cents, currencyCode, day, id, instant, localInstant, named } from "./shapes.ts";

const rate = z
  .object({
    service_level: z.enum(serviceLevelNames),
    equipment_type: z
      .string()
      .nullable()
      .meta({ description: "ISO 6346 size and type of the container; null for other cargo.", example: "45G1" }),
    basis: z
      .enum(rateBases)
      .meta({ description: "The unit that the amount is for, such as one container.", example: "per_container" }),
    currency: currencyCode,
    base_rate_cents: cents.meta({ example: 431_000 }),
    surcharges: z
      .array(reportedSurcharge)
      .nullable()
      .meta({ description: "The surcharges. Null: only their total was reported." }),
    surcharges_cents: cents.meta({ description: "Total of the surcharges.", example: 112_700 }),
    all_in_cents: cents.meta({ description: "Base rate and mandatory surcharges.", example: 543_700 }),
    observed_at: instant,
    change_4_weeks_percent: change(
      "Change of the all-in rate in 4 weeks, in percent. Null: there was no rate to compare with.",
      1.8,
    ),
    market: z
      .object({
        week: day.meta({ description: "Monday of the week of the benchmark.", example: "2026-11-09" }),
        low_cents: cents.meta({ example: 361_000 }),
        median_cents: cents.meta({ example: 418_000 }),
        high_cents: cents.meta({ example: 477_000 }),
        change_4_weeks_percent: change("Change of the median in 4 weeks, in percent.", 2.4),
      })
      .nullable()
      .meta({
        description:
          "The benchmark of the trade lane. Null: there is none, or the account has no subscription on this trade lane.",
      }),
    against_median_percent: change(
      "Difference from the median of the trade lane, in percent. Negative: below the median.",
      -3.6,
    ),
  })
  .meta({ id: "ComparedRate" });

const comparedRoute = z
  .object({
    id: id.meta({ example: demoSample.routeId }),
    code: z.string().meta({ example: "C-CNSHA-NLRTM-PEL9" }),
    name: z.string().meta({ example: "Shanghai – Rotterdam" }),
    carrier: named.meta({ description: "The carrier that operates the route." }),
    cargo_type: z.enum(cargoTypes),
    trade_lane: named,
    origin_port: port,
    destination_port: port,
    service_levels: z.array(z.enum(serviceLevelNames)),
    indicative_transit_days: z
      .object({ min: z.int(), max: z.int() })
      .meta({ description: "Transit days of the fastest and the slowest service level." }),
    departures_per_week: z.number().meta({ description: "0.5 is one every two weeks.", example: 1 }),
    is_sample: z.boolean().meta({ description: "Whether every account can read its data.", example: false }),
    locked: z
      .boolean()
      .meta({ description: "Whether the account needs a subscription to read the route's data.", example: false }),
    access_reason: z
      .enum(accessReasons)
      .meta({ description: "Why the account has or does not have access.", example: "active" }),
    price_from: priceFrom
      .nullable()
      .meta({ description: "The price that the account pays for one month. Null: nothing is on sale." }),
    subscription_adds: z
      .array(z.enum(comparedFields))
      .meta({ description: "The fields that become available with a subscription. Empty if nothing is locked." }),
    rates: z
      .array(rate)
      .nullable()
      .meta({ description: "The latest rate of each container type and service level. Null: locked." }),
    transit: z
      .array(z.object({ service_level: z.enum(serviceLevelNames), transit_days: z.int().meta({ example: 31 }) }))
      .nullable()
      .meta({ description: "Transit time by service level. Null: locked." }),
    next_departure: z
      .object({
        etd: localInstant.meta({ description: "Local time of the origin port." }),
        voyage: z.string().meta({ example: "2648W" }),
        vessel: z.string().nullable().meta({ example: "Pelorin Meridian Bridge" }),
      })
      .nullable()
      .meta({ description: "The next published departure. Null: locked, or none is published." }),
    on_time_percent: z.number().nullable().meta({
      description: "Share of arrivals within one day of schedule. Null: locked, or not reported.",
      example: 71.5,
    }),
    capacity: z
      .object({
        unit: z.enum(capacityUnits),
        nominal: z.int(),
        available: z.int(),
        booking_status: z.enum(bookingStatuses),
        observed_at: instant,
      })
      .nullable()
      .meta({ description: "Capacity per sailing. Null: locked." }),
  })
  .meta({ id: "ComparedRoute" });

const portQuery = (end: string, example: string) =>
  unlocode.meta({ description: `UN/LOCODE or alternative code of the ${end} port.`, example });

export const compareRoutes = endpoint({
  id: "compareRoutes",
  tag: "Routes",
  method: "GET",
  path: "/route-access/compare",
  access: "bearer_or_key",
  summary: "Compare the routes between two ports",
  description:
    "All carriers side by side: rates compared with the trade lane, transit times, departures, on-time performance and space available. Routes that you have no access to come last, with public data only.",
  query: z.object({
    origin: portQuery("origin", demoSample.origin),
    destination: portQuery("destination", demoSample.destination),
    equipment_type: equipmentQuery
      .optional()
      .meta({ description: "Only container routes, with rates of this container type.", example: "45G1" }),
    sort: z
      .enum(comparisonOrders)
      .default("all_in")
      .meta({
        description:
          "Best first: lowest all-in rate, shortest transit time, most departures, best on-time performance, most space available, or largest fall in 4 weeks.",
        example: "all_in",
        override: { default: "all_in" },
      }),
  }),
  answer: {
    status: 200,
    description: "Every route between the two ports.",
    schema: z.object({ routes: z.array(comparedRoute) }),
  },
  conditional: true,
});
