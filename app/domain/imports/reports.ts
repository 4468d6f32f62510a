/** Reports files: one data point per line, with its figures in `data`. */
import { z } from "zod";
import { bookingStatuses, capacityUnits, cargoTypes, reportTypes, serviceLevelNames } from "../catalogue/enums.ts";
import { checkedRate, type RateProblem, surchargesTotalCents } from "../catalogue/rate-report.ts";
import type { ReportedSurcharge } from "../catalogue/reported-surcharge.ts";
import { rateBasis } from "../catalogue/route.ts";
import { dayOf } from "../dates.ts";
import { currency, inMinorUnits } from "../money.ts";
import type { FindingCode } from "./finding.ts";
import type { ImportFormat, Note, ParseWorld } from "./kind.ts";
import { parsedRow } from "./parse-cells.ts";

const coded = (code: FindingCode) => ({ params: { code } });

const likeATime = "Enter a time with its UTC offset, such as 2026-11-16T06:00:00Z";
const withOffset = z.regexes.datetime({ offset: true });
const withoutOffset = z.regexes.datetime({ local: true });
const instant = z
  .string(likeATime)
  .refine((text) => withOffset.test(text) || !withoutOffset.test(text), {
    message: "The time has no UTC offset. Add Z for UTC, or an offset such as +08:00",
    ...coded("not_offset"),
    abort: true,
  })
  // A year that the database can store.
  .refine((text) => withOffset.test(text) && /^[12]/.test(text), likeATime);
const likeADay = "Enter a date as YYYY-MM-DD";
const day = z.iso.date(likeADay).regex(/^[12]/, likeADay);
const units = (message = "Enter a number of 0 or more") =>
  z.number(message).min(0, message).max(2_000_000_000, "Too large");
const level = z.enum(serviceLevelNames, `Unknown service level. Enter one of ${serviceLevelNames.join(", ")}`);
const percent = z.number("Enter a number").min(0, "Must be at least 0").max(100, "Must be at most 100");
const tooPrecise = { message: "Too many decimals for this currency. Round the amount", ...coded("over_precise") };
const amount = units().refine((value) => value < 0 || inMinorUnits(value, currency) !== null, tooPrecise);
const surcharge = z
  .object({
    code: z
      .string("Enter the charge code")
      .regex(/^[A-Z0-9]{2,8}$/, "Enter a charge code of 2 to 8 capital letters or digits, such as BAF"),
    amount: units(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, "Enter a currency code of three capital letters, such as EUR")
      .nullish(),
  })
  .transform(({ code, amount, currency: own }, ctx) => {
    const amountCents = inMinorUnits(amount, own ?? currency);
    if (amountCents !== null) return { code, amountCents, currency: own };
    ctx.addIssue({ code: "custom", path: ["amount"], ...tooPrecise });
    return z.NEVER;
  });
const call = z.object({ planned: instant.nullish(), estimated: instant.nullish(), actual: instant.nullish() });
const text = (missing: string) => z.string().min(1, missing).max(200);

const base = {
  route_code: z.string("Enter the route code"),
  observed_at: instant,
  external_id: z.string().max(200).nullish(),
  valid_from: day.nullish(),
  valid_to: day.nullish(),
};

const reportLine = z.discriminatedUnion(
  "report_type",
  [
    z.object({
      ...base,
      report_type: z.literal("rate"),
      data: z.object({
        service_level: level,
        equipment_type: z.string().nullish(),
        currency: z.literal(currency, {
          error: "Rates must be in USD. Convert the rate, or remove the line",
        }),
        basis: z.string("Enter the basis of the rate"),
        base_rate: amount,
        surcharges: z.array(surcharge, "Enter a list of surcharges").max(50).nullish(),
        surcharges_total: amount.nullish(),
      }),
    }),
    z.object({
      ...base,
      report_type: z.literal("capacity"),
      data: z.object({
        service_level: level.nullish(),
        sailing_date: day,
        unit: z.enum(capacityUnits, `Unknown capacity unit. Enter one of ${capacityUnits.join(", ")}`),
        nominal: units().int("Enter a whole number"),
        available: units().int("Enter a whole number"),
        allocated: units().nullish(),
        booked: units().nullish(),
        booking_status: z.enum(bookingStatuses, `Unknown booking status. Enter one of ${bookingStatuses.join(", ")}`),
      }),
    }),
    z.object({
      ...base,
      report_type: z.literal("schedule"),
      data: z.object({
        service_level: level.nullish(),
        vessel_name: text("Enter the vessel, or leave it out").nullish(),
        voyage_reference: text("Enter the voyage, or leave it out").nullish(),
        departure: call.nullish(),
        arrival: call.nullish(),
        transit_time_days: z.number("Enter a number of days").positive("Must be more than 0").nullish(),
      }),
    }),
    z.object({
      ...base,
      report_type: z.literal("performance"),
      data: z.object({
        service_level: level.nullish(),
        on_time_pct: percent,
        mean_delay_days: z.number("Enter a number of days").nullish(),
        transit_time_days: z
          .object({ mean: z.number("Enter a number of days").positive("Must be more than 0") })
          .nullish(),
      }),
    }),
  ],
  `Unknown report type. Enter one of ${reportTypes.join(", ")}`,
);
type ReportLine = z.output<typeof reportLine>;
type LineOf<Type extends ReportLine["report_type"]> = Extract<ReportLine, { report_type: Type }>;

/** The columns of the staging table. `service_level` null: the route's usual one. */
const staging = {
  route_code: "text",
  type: "report_type",
  observed_at: "timestamptz(3)",
  service_level: "service_level_name",
  equipment_type: "text",
  vessel: "text",
  voyage: "text",
  etd: "timestamptz(3)",
  eta: "timestamptz(3)",
  transit_days: "float8",
  basis: "rate_basis",
  currency: "text",
  base_rate_cents: "integer",
  surcharges: "jsonb",
  surcharges_cents: "integer",
  nominal_capacity: "integer",
  available_capacity: "integer",
  capacity_unit: "capacity_unit",
  booking_status: "booking_status",
  on_time_percent: "float8",
  mean_delay_days: "float8",
  external_id: "text",
} as const;
type StagedReport = Record<keyof typeof staging, string | number | null | ReportedSurcharge[]>;
type Figures = Partial<StagedReport>;

export const reports = {
  syntax: "json_lines",
  columns: {
    required: ["route_code", "report_type", "observed_at", "data"],
    optional: ["external_id", "valid_from", "valid_to"],
  },
  template: "reports.jsonl",
  about: "One report per line. The latest capacity report updates the route.",
  staging,
  parseRow: (values, note, world): StagedReport | null => {
    const report = parsedRow(reportLine, values, note);
    if (!report) return null;
    if (Date.parse(report.observed_at) > world.now.getTime()) {
      note.error(
        "observed_at",
        "in_future",
        "Later than now. Correct the time, or import the report when it has been observed",
      );
      return null;
    }
    const figures = figuresOf(report, note, world);
    return figures && staged(report, figures);
  },
} as const satisfies ImportFormat<StagedReport>;

/** Written out, so that all rows have the same shape: V8 reads them several times as fast as merged objects. */
const staged = (report: ReportLine, figures: Figures): StagedReport => ({
  route_code: report.route_code,
  type: report.report_type,
  observed_at: report.observed_at,
  service_level: report.data.service_level ?? null,
  equipment_type: figures.equipment_type ?? "",
  vessel: figures.vessel ?? null,
  voyage: figures.voyage ?? null,
  etd: figures.etd ?? null,
  eta: figures.eta ?? null,
  transit_days: figures.transit_days ?? null,
  basis: figures.basis ?? null,
  currency: figures.currency ?? null,
  base_rate_cents: figures.base_rate_cents ?? null,
  surcharges: figures.surcharges ?? null,
  surcharges_cents: figures.surcharges_cents ?? null,
  nominal_capacity: figures.nominal_capacity ?? null,
  available_capacity: figures.available_capacity ?? null,
  capacity_unit: figures.capacity_unit ?? null,
  booking_status: figures.booking_status ?? null,
  on_time_percent: figures.on_time_percent ?? null,
  mean_delay_days: figures.mean_delay_days ?? null,
  external_id: report.external_id || null,
});

const figuresOf = (report: ReportLine, note: Note, world: ParseWorld): Figures | null => {
  if (report.report_type === "rate") return rateOf(report, note, world);
  if (report.report_type === "capacity") return capacityOf(report, note);
  if (report.report_type === "schedule") {
    const { vessel_name, voyage_reference, departure, arrival, transit_time_days } = report.data;
    return {
      vessel: vessel_name ?? null,
      voyage: voyage_reference ?? null,
      etd: departure?.estimated ?? departure?.planned ?? null,
      eta: arrival?.estimated ?? arrival?.planned ?? null,
      transit_days: transit_time_days ?? null,
    };
  }
  const { on_time_pct, mean_delay_days, transit_time_days } = report.data;
  return {
    on_time_percent: on_time_pct,
    mean_delay_days: mean_delay_days ?? null,
    transit_days: transit_time_days?.mean ?? null,
  };
};

/** Available and allocated capacity together may exceed the nominal one by overbooking, but not by more than this. */
const overbookingLimit = 1.1;

const capacityOf = ({ data }: LineOf<"capacity">, note: Note): Figures | null => {
  const { sailing_date, nominal, available, unit, booking_status } = data;
  const allocated = data.allocated ?? data.booked ?? 0;
  if (available > nominal) {
    note.error("data.available", "over_capacity", "More than the nominal capacity. Correct one of the two");
    return null;
  }
  if (available + allocated > overbookingLimit * nominal) {
    const column = data.allocated == null ? "data.booked" : "data.allocated";
    const message = `Available and booked capacity are more than ${overbookingLimit} times the nominal capacity. Correct one of them`;
    note.error(column, "over_capacity", message);
    return null;
  }
  return {
    etd: `${sailing_date}T00:00:00Z`,
    nominal_capacity: nominal,
    available_capacity: available,
    capacity_unit: unit,
    booking_status,
  };
};

const rateOf = (report: LineOf<"rate">, note: Note, { findExchangeRate }: ParseWorld): Figures | null => {
  const { data } = report;
  // The cargo that the row speaks of. Whether the route carries it is checked against the catalogue.
  const cargoType = data.equipment_type ? "container" : cargoTypes.find((each) => rateBasis[each] === data.basis);
  if (!cargoType) {
    note.error("data.basis", "wrong_basis", `Unknown basis. Enter one of ${Object.values(rateBasis).join(", ")}`);
    return null;
  }
  const { rate, problems } = checkedRate(
    cargoType,
    {
      equipmentType: data.equipment_type,
      basis: data.basis,
      currency: data.currency,
      surcharges: data.surcharges ?? [],
    },
    { observedOn: () => dayOf(new Date(report.observed_at)), findExchangeRate },
  );
  for (const { path, reason, message } of problems) note.error(`data.${path}`, codeOfProblem[reason], message);
  if (problems.length > 0) return null;
  const totalCents = data.surcharges_total == null ? null : Math.round(data.surcharges_total * 100);
  const sumCents = data.surcharges ? surchargesTotalCents(rate.surcharges, rate.currency) : totalCents;
  if (totalCents !== null && sumCents !== null && sumCents !== totalCents) {
    const message = `The surcharges add up to ${(sumCents / 100).toFixed(2)}. Correct the total or a surcharge`;
    note.error("data.surcharges_total", "contradiction", message);
    return null;
  }
  return {
    equipment_type: rate.equipmentType,
    basis: rate.basis,
    currency: rate.currency,
    base_rate_cents: Math.round(data.base_rate * 100),
    surcharges: data.surcharges ? rate.surcharges : null,
    surcharges_cents: sumCents,
  };
};

const codeOfProblem = {
  wrong_basis: "wrong_basis",
  wrong_equipment_type: "malformed",
  duplicate_code: "duplicate",
  no_exchange_rate: "no_exchange_rate",
} as const satisfies Record<RateProblem["reason"], FindingCode>;
