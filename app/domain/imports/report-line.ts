/** A line of a reports file: its fields and their forms. */
import { z } from "zod";
import { bookingStatuses, capacityUnits, reportTypes, serviceLevelNames } from "../catalogue/enums.ts";
import { currency, minorUnits } from "../money.ts";
import type { FindingCode } from "./finding.ts";

const coded = (code: FindingCode) => ({ params: { code } });

const likeATime = "Not a time. Write it with an offset, such as 2026-11-16T06:00:00Z";
const withOffset = z.regexes.datetime({ offset: true });
const withoutOffset = z.regexes.datetime({ local: true });
const instant = z
  .string(likeATime)
  .refine((text) => withOffset.test(text) || !withoutOffset.test(text), {
    message: "A time without an offset. Add Z for UTC, or the offset, such as +08:00",
    ...coded("not_offset"),
    abort: true,
  })
  // A year that the database can store.
  .refine((text) => withOffset.test(text) && /^[12]/.test(text), likeATime);
const likeADay = "Not a date. Write YYYY-MM-DD";
const day = z.iso.date(likeADay).regex(/^[12]/, likeADay);
/** The largest number that the database stores as an integer, rounded down. */
export const largestNumber = 2_000_000_000;
const units = (message = "Not a number of 0 or more") =>
  z.number(message).min(0, message).max(largestNumber, "Too large");
const level = z.enum(serviceLevelNames, `Not a service level. Write one of ${serviceLevelNames.join(", ")}`);
const percent = z.number("Not a percentage").min(0, "Not below 0").max(100, "Not above 100");
const tooPrecise = { message: "More decimals than the currency has. Round the amount", ...coded("over_precise") };
const amount = units().refine((value) => value < 0 || minorUnits(String(value), currency) !== null, tooPrecise);
export const chargeCode = /^[A-Z0-9]{2,8}$/;
export const mostSurcharges = 50;
const surcharge = z
  .object({
    code: z
      .string("Missing. Write the charge code")
      .regex(chargeCode, "Not a charge code. Write 2 to 8 capitals, such as BAF"),
    amount: units(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, "Not a currency. Write three capitals, such as EUR")
      .nullish(),
  })
  .transform(({ code, amount, currency: own }, ctx) => {
    const amountCents = minorUnits(String(amount), own ?? currency);
    if (amountCents !== null) return { code, amountCents, currency: own };
    ctx.addIssue({ code: "custom", path: ["amount"], ...tooPrecise });
    return z.NEVER;
  });
const call = z.object({ planned: instant.nullish(), estimated: instant.nullish(), actual: instant.nullish() });
export const longestText = 200;
const tooLong = `At most ${longestText} characters`;
const text = (missing: string) => z.string().min(1, missing).max(longestText, tooLong);

const base = {
  route_code: z.string("Missing. Write the route's code"),
  observed_at: instant,
  external_id: z.string().max(longestText, tooLong).nullish(),
  valid_from: day.nullish(),
  valid_to: day.nullish(),
};

export const reportLine = z.discriminatedUnion(
  "report_type",
  [
    z.object({
      ...base,
      report_type: z.literal("rate"),
      data: z.object({
        service_level: level,
        equipment_type: z.string().nullish(),
        currency: z.literal(currency, {
          error: "The catalogue is kept in USD. Convert the rate and write USD, or leave the line out",
        }),
        basis: z.string("Missing. Write what the rate is for"),
        base_rate: amount,
        surcharges: z
          .array(surcharge, "Not a list of surcharges")
          .max(mostSurcharges, `At most ${mostSurcharges}`)
          .nullish(),
        surcharges_total: amount.nullish(),
      }),
    }),
    z.object({
      ...base,
      report_type: z.literal("capacity"),
      data: z.object({
        service_level: level.nullish(),
        sailing_date: day,
        unit: z.enum(capacityUnits, `Not a unit of capacity. Write one of ${capacityUnits.join(", ")}`),
        nominal: units().int("Not a whole number"),
        available: units().int("Not a whole number"),
        allocated: units().nullish(),
        booked: units().nullish(),
        booking_status: z.enum(bookingStatuses, `Not a booking status. Write one of ${bookingStatuses.join(", ")}`),
      }),
    }),
    z.object({
      ...base,
      report_type: z.literal("schedule"),
      data: z.object({
        service_level: level.nullish(),
        vessel_name: text("Leave it out, or name the vessel").nullish(),
        voyage_reference: text("Leave it out, or write the voyage").nullish(),
        departure: call.nullish(),
        arrival: call.nullish(),
        transit_time_days: z.number("Not a number of days").positive("More than 0").nullish(),
      }),
    }),
    z.object({
      ...base,
      report_type: z.literal("performance"),
      data: z.object({
        service_level: level.nullish(),
        on_time_pct: percent,
        mean_delay_days: z.number("Not a number of days").nullish(),
        transit_time_days: z.object({ mean: z.number("Not a number of days").positive("More than 0") }).nullish(),
      }),
    }),
  ],
  `Not a type of report. Write one of ${reportTypes.join(", ")}`,
);
export type ReportLine = z.output<typeof reportLine>;
export type LineOf<Type extends ReportLine["report_type"]> = Extract<ReportLine, { report_type: Type }>;
