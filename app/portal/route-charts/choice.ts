/** What the charts of a route's page show, in the page's address: `?equipment=22G1&range=all`. */
import { z } from "zod";
import { addMonths, type Day } from "../../domain/dates.ts";
import { type Range, ranges, rateScales } from "./ranges.ts";

const choice = z.object({
  equipment: z.string().optional().catch(undefined),
  service: z.string().optional().catch(undefined),
  range: z.enum(ranges).catch("1_year"),
  scale: z.enum(rateScales).catch("stacked"),
});

export type ChartChoice = z.output<typeof choice>;

/** Whatever the address does not name, or not in a readable way, is as by default. */
export const chartChoiceIn = (search: URLSearchParams): ChartChoice => choice.parse(Object.fromEntries(search));

/** Null: everything. */
export const firstDayOf = (range: Range, today: Day): Day | null =>
  range === "all" ? null : addMonths(today, range === "1_year" ? -12 : -3);
