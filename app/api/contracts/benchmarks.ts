import { z } from "zod";
import {
  fewestCarriers,
  fewestRoutes,
  freeDelayWeeks,
  highPercentile,
  lowPercentile,
  shownWeeks,
} from "../../domain/benchmarks/policy.ts";
import { cargoTypes, rateBases } from "../../domain/catalogue/enums.ts";
import { equipmentCode } from "../../domain/catalogue/equipment.ts";
import { endpoint } from "../endpoint.ts";
import { cents, currencyCode, day, named } from "./shapes.ts";

export const equipmentQuery = z
  .string()
  .toUpperCase()
  .regex(equipmentCode, "Must be an ISO 6346 size and type code, such as 45G1")
  .meta({ override: { type: "string" }, example: "45G1" });

export const change = (description: string, example: number | null) =>
  z.number().nullable().meta({ description, example });

const figure = (description: string, example: number) => cents.nullable().meta({ description, example });

const benchmark = z
  .object({
    trade_lane: named,
    cargo_type: z.enum(cargoTypes),
    equipment_type: z
      .string()
      .nullable()
      .meta({ description: "ISO 6346 size and type of the container; null for other cargo.", example: "45G1" }),
    basis: z.enum(rateBases).meta({ description: "The unit that the rates are for.", example: "per_container" }),
    currency: currencyCode,
    access: z.enum(["full", "free"]).meta({
      description: `full: with an active subscription to any route of the trade lane. free: without one, only the index, ${freeDelayWeeks} weeks late, and its change in whole percent.`,
      example: "full",
    }),
    change_4_weeks_percent: change("Change of the median in the 4 weeks to the latest week, in percent.", 2.4),
    change_13_weeks_percent: change("The same over 13 weeks. Null: unknown, or access is free.", -5.1),
    change_52_weeks_percent: change("The same over 52 weeks. Null: unknown, or access is free.", 11.8),
    weeks: z
      .array(
        z.object({
          week: day.meta({ description: "Monday of the week.", example: "2026-11-09" }),
          index: z
            .int()
            .meta({ description: "The median as an index: the first week of the list is 100.", example: 112 }),
          low_cents: figure(
            `Average around the ${lowPercentile}th percentile of the all-in rates. Null: access is free.`,
            361_000,
          ),
          median_cents: figure("Average around the median.", 418_000),
          high_cents: figure(`Average around the ${highPercentile}th percentile.`, 477_000),
          route_count: z.int().nullable().meta({ description: "Number of routes that reported a rate.", example: 86 }),
          carrier_count: z.int().nullable().meta({ description: "Number of carriers of these routes.", example: 11 }),
        }),
      )
      .meta({ description: `The last ${shownWeeks} weeks, oldest first.` }),
  })
  .meta({ id: "Benchmark" });

export const benchmarks = endpoint({
  id: "listBenchmarks",
  tag: "Routes",
  method: "GET",
  path: "/route-access/benchmarks",
  access: "bearer_or_key",
  summary: "Read market rates of a trade lane",
  description: `Low, median and high all-in rates of a trade lane by week, for each cargo and container type. Every figure is an average over several routes. A week is omitted if it has fewer than ${fewestRoutes} routes or ${fewestCarriers} carriers, or if one carrier operates more than half of the routes.`,
  query: z.object({
    trade_lane: z.string().trim().min(1).max(60).meta({ description: "Code of the trade lane.", example: "EAS-NEU" }),
    cargo_type: z.enum(cargoTypes).optional().meta({ description: "Only this cargo type.", example: "container" }),
    equipment_type: equipmentQuery.optional().meta({ description: "Only this container type.", example: "45G1" }),
  }),
  answer: {
    status: 200,
    description:
      "One entry per cargo and container type. Empty if there are not enough routes or the trade lane is unknown.",
    schema: z.object({ benchmarks: z.array(benchmark) }),
  },
  conditional: true,
});
