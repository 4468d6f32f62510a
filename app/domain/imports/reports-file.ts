/** Reports files: one data point per line, with its figures in `data`. */
import { z } from "zod";
import { bookingStatuses, reportTypes, serviceLevelNames } from "../catalogue/enums.ts";
import {
  type ImportedReport,
  type ImportedRoute,
  type SourceRow,
  withSurchargesTotal,
} from "../catalogue/import-records.ts";
import { checkedRate, type FindExchangeRate, surchargesTotalCents } from "../catalogue/rate-report.ts";
import { type CapacityUnit, capacityUnit } from "../catalogue/route.ts";
import { type Day, dayOf } from "../dates.ts";
import { currency, minorUnits } from "../money.ts";
import type { KnownCatalogue, KnownPeriods } from "./catalogue-snapshot.ts";
import type { CellError } from "./cell-error.ts";
import { type OnProgress, type Plan, withPauses } from "./check.ts";
import type { CellSchemas, JsonRow } from "./file.ts";

const likeATime = "Not a time. Write it with an offset, such as 2026-11-16T06:00:00Z";
const instant = z.iso.datetime({ offset: true, error: likeATime }).regex(/^[12]/, likeATime);
const likeADay = "Not a date. Write YYYY-MM-DD";
const day = z.iso.date(likeADay).regex(/^[12]/, likeADay);
const units = (message = "Not a number of 0 or more") =>
  z.number(message).min(0, message).max(2_000_000_000, "Too large");
const level = z.enum(serviceLevelNames, `Not a service level. Write one of ${serviceLevelNames.join(", ")}`);
const percent = z.number("Not a percentage").min(0, "Not below 0").max(100, "Not above 100");
const amount = units().refine(
  (value) => minorUnits(String(value), currency) !== null,
  "More decimals than the currency has. Round the amount",
);
const surcharge = z
  .object({
    code: z
      .string("Missing. Write the charge code")
      .regex(/^[A-Z0-9]{2,8}$/, "Not a charge code. Write 2 to 8 capitals, such as BAF"),
    amount: units(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, "Not a currency. Write three capitals, such as EUR")
      .nullish(),
  })
  .transform(({ code, amount, currency: own }, ctx) => {
    const amountCents = minorUnits(String(amount), own ?? currency);
    if (amountCents !== null) return { code, amountCents, currency: own };
    ctx.addIssue({
      code: "custom",
      path: ["amount"],
      message: "More decimals than the currency has. Round the amount",
    });
    return z.NEVER;
  });
const call = z.object({ planned: instant.nullish(), estimated: instant.nullish(), actual: instant.nullish() });

const base = {
  route_code: z.string("Missing. Write the route's code"),
  observed_at: instant,
  external_id: z.string().max(200, "At most 200 characters").nullish(),
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
        currency: z.literal(
          currency,
          "The catalogue is kept in USD. Convert the rate and write USD, or leave the line out",
        ),
        basis: z.string("Missing. Write what the rate is for"),
        base_rate: amount,
        surcharges: z.array(surcharge, "Not a list of surcharges").max(50, "At most 50").nullish(),
        surcharges_total: amount.nullish(),
      }),
    } satisfies CellSchemas<"reports">),
    z.object({
      ...base,
      report_type: z.literal("capacity"),
      data: z.object({
        service_level: level.nullish(),
        sailing_date: day,
        unit: z.string("Missing. Write what is counted"),
        nominal: units().int("Not a whole number"),
        available: units().int("Not a whole number"),
        booking_status: z.enum(bookingStatuses, `Not a booking status. Write one of ${bookingStatuses.join(", ")}`),
      }),
    } satisfies CellSchemas<"reports">),
    z.object({
      ...base,
      report_type: z.literal("schedule"),
      data: z.object({
        service_level: level.nullish(),
        vessel_name: z.string().min(1, "Leave it out, or name the vessel").max(200).nullish(),
        voyage_reference: z.string().min(1, "Leave it out, or write the voyage").max(200).nullish(),
        departure: call.nullish(),
        arrival: call.nullish(),
        transit_time_days: z.number("Not a number of days").positive("More than 0").nullish(),
      }),
    } satisfies CellSchemas<"reports">),
    z.object({
      ...base,
      report_type: z.literal("performance"),
      data: z.object({
        service_level: level.nullish(),
        on_time_pct: percent,
        mean_delay_days: z.number("Not a number of days").nullish(),
        transit_time_days: z.object({ mean: z.number("Not a number of days").positive("More than 0") }).nullish(),
      }),
    } satisfies CellSchemas<"reports">),
  ],
  `Not a type of report. Write one of ${reportTypes.join(", ")}`,
);
type ReportLine = z.output<typeof reportLine>;
type Note = (column: string, message: string) => void;

/** Counts how many of these reports exist, by their unique key, and how many of those are equal. */
export type CompareReports = (
  reports: (Omit<ImportedReport, "periodCode"> & { periodId: number })[],
) => Promise<{ known: number; same: number }>;

type World = {
  known: KnownCatalogue;
  periods: KnownPeriods;
  compare: CompareReports;
  findExchangeRate: FindExchangeRate;
  onProgress?: OnProgress;
};

const comparedAtOnce = 5_000;

/** The latest capacity report also updates the route's current capacity. */
export const planReports = async (rows: Iterable<JsonRow>, errors: CellError[], world: World): Promise<Plan> => {
  const counts = { new: 0, changed: 0, unchanged: 0 };
  const reports: SourceRow[] = [];
  const lineOf = new Map<string, number>();
  const capacities = new Map<string, { line: number; route: ImportedRoute }>();
  let waiting: Parameters<CompareReports>[0] = [];
  const compare = async () => {
    const { known, same } = await world.compare(waiting);
    counts.new += waiting.length - known;
    counts.changed += known - same;
    counts.unchanged += same;
    waiting = [];
  };
  let count = 0;
  for await (const { line, value } of withPauses(rows, world.onProgress)) {
    count++;
    const found = errors.length;
    const note: Note = (column, message) => errors.push({ line, column, value: valueAt(value, column), message });
    const report = checkedLine(value, note);
    const placed = report && place(report, world, note);
    if (!report || !placed) continue;
    const key = `${placed.periodId} ${report.report_type} ${Date.parse(report.observed_at)} ${placed.record.serviceLevel} ${placed.record.equipmentType ?? ""}`;
    const earlier = lineOf.get(key);
    if (earlier !== undefined) note("observed_at", `Line ${earlier} reports the same. Leave one of them out`);
    lineOf.set(key, line);
    if (errors.length > found) continue;
    reports.push({ line, values: placed.record });
    const { periodCode: _, ...observation } = placed.record;
    waiting.push({ ...withSurchargesTotal(observation), periodId: placed.periodId });
    if (report.report_type === "capacity") noteCapacity(report, line, placed.route, capacities);
    if (waiting.length === comparedAtOnce) await compare();
  }
  if (errors.length === 0) await compare();
  return {
    rows: count,
    counts,
    errors,
    source: {
      routes: {
        file: "capacities",
        rows: [...capacities.values()].map(({ line, route }) => ({ line, values: route })),
      },
      reports: { file: "reports", rows: reports, expectedRows: reports.length },
    },
  };
};

const checkedLine = (value: unknown, note: Note): ReportLine | null => {
  const result = reportLine.safeParse(value);
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues) note(path.join("."), message);
  return null;
};

const valueAt = (value: unknown, column: string): string => {
  let at: unknown = value;
  for (const part of column.split(".")) {
    at = typeof at === "object" && at !== null ? (at as Record<string, unknown>)[part] : undefined;
  }
  return at === undefined ? "" : typeof at === "object" ? JSON.stringify(at).slice(0, 60) : String(at);
};

const place = (report: ReportLine, { known, periods, findExchangeRate }: World, note: Note) => {
  const route = known.routes.get(report.route_code);
  if (!route) {
    note("route_code", "There is no such route. Correct the code, or import the route first");
    return null;
  }
  if (report.report_type === "capacity") checkCapacity(report, route, note);
  const observedOn = dayOf(new Date(report.observed_at));
  const period = periods
    .get(route.code)
    ?.find(({ startsOn, endsOn }) => startsOn <= observedOn && (endsOn === null || observedOn < endsOn));
  if (!period) {
    note("observed_at", "The route has no period for that day. Correct the time, or leave the line out");
    return null;
  }
  const serviceLevel = report.data.service_level ?? usualLevel(route);
  if (!route.serviceLevels.some((each) => each.level === serviceLevel)) {
    note("data.service_level", `The route has ${route.serviceLevels.map((each) => each.level).join(", ")} only`);
  }
  const record: ImportedReport = {
    periodCode: period.code,
    type: report.report_type,
    observedAt: report.observed_at,
    serviceLevel,
    ...(report.external_id ? { externalId: report.external_id } : {}),
    ...(report.report_type === "rate"
      ? rateOf(report, route, { observedOn, findExchangeRate, note })
      : figuresOf(report, capacityUnit[route.cargoType])),
  };
  return { route, periodId: period.id, record };
};

const checkCapacity = (
  { data: { unit, available, nominal } }: Extract<ReportLine, { report_type: "capacity" }>,
  { cargoType }: ImportedRoute,
  note: Note,
): void => {
  if (unit !== capacityUnit[cargoType])
    note("data.unit", `Room for ${cargoType} cargo is counted in ${capacityUnit[cargoType]}`);
  if (available > nominal) note("data.available", "More than the nominal capacity. Correct one of them");
};

const rateOf = (
  { data }: Extract<ReportLine, { report_type: "rate" }>,
  { cargoType }: ImportedRoute,
  { note, ...look }: { observedOn: Day; findExchangeRate: FindExchangeRate; note: Note },
): Partial<ImportedReport> => {
  const { rate, problems } = checkedRate(
    cargoType,
    {
      equipmentType: data.equipment_type,
      basis: data.basis,
      currency: data.currency,
      surcharges: data.surcharges ?? [],
    },
    look,
  );
  for (const { path, message } of problems) note(`data.${path}`, message);
  const totalCents = data.surcharges_total == null ? null : Math.round(data.surcharges_total * 100);
  const { surcharges, ...units } = rate;
  if (data.surcharges && totalCents !== null && problems.length === 0) {
    const sumCents = surchargesTotalCents(surcharges, rate.currency);
    if (sumCents !== totalCents)
      note("data.surcharges_total", `The surcharges add up to ${(sumCents / 100).toFixed(2)}. Correct one of them`);
  }
  return {
    ...units,
    baseRateCents: Math.round(data.base_rate * 100),
    ...(data.surcharges ? { surcharges } : totalCents === null ? {} : { surchargesCents: totalCents }),
  };
};

const usualLevel = ({ serviceLevels }: ImportedRoute) =>
  (serviceLevels.find(({ level: each }) => each === "standard") ?? serviceLevels[0])?.level ?? "standard";

const figuresOf = (
  report: Exclude<ReportLine, { report_type: "rate" }>,
  unit: CapacityUnit,
): Partial<ImportedReport> => {
  if (report.report_type === "capacity") {
    const { sailing_date, available, booking_status } = report.data;
    return {
      etd: `${sailing_date}T00:00:00Z`,
      availableCapacity: available,
      capacityUnit: unit,
      bookingStatus: booking_status,
    };
  }
  if (report.report_type === "schedule") {
    const { vessel_name, voyage_reference, departure, arrival, transit_time_days } = report.data;
    return known({
      vessel: vessel_name,
      voyage: voyage_reference,
      etd: departure?.estimated ?? departure?.planned,
      eta: arrival?.estimated ?? arrival?.planned,
      transitDays: transit_time_days,
    });
  }
  const { on_time_pct, mean_delay_days, transit_time_days } = report.data;
  return known({ onTimePercent: on_time_pct, meanDelayDays: mean_delay_days, transitDays: transit_time_days?.mean });
};

/** Unknown values are left out. */
const known = (figures: Record<string, string | number | null | undefined>): Partial<ImportedReport> =>
  Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== null && value !== undefined));

const noteCapacity = (
  { observed_at, data }: Extract<ReportLine, { report_type: "capacity" }>,
  line: number,
  before: ImportedRoute,
  capacities: Map<string, { line: number; route: ImportedRoute }>,
): void => {
  const latest = capacities.get(before.code)?.route ?? before;
  const isFirst = latest.capacityNominal === 0;
  if (!isFirst && Date.parse(observed_at) <= Date.parse(latest.capacityObservedAt)) return;
  const capacity = {
    capacityNominal: data.nominal,
    capacityAvailable: data.available,
    bookingStatus: data.booking_status,
    capacityObservedAt: observed_at,
  };
  capacities.set(before.code, { line, route: { ...latest, ...capacity } });
};
