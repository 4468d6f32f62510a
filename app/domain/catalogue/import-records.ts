/**
 * The records that can be imported into the catalogue, and their validation. Records refer to each other by code.
 * Callers read files into rows; `import.server.ts` writes them.
 */
import { z } from "zod";
import type { Day } from "../dates.ts";
import { currency } from "../money.ts";
import { codePattern, unlocodePattern } from "./codes.ts";
import {
  bookingStatuses,
  capacityUnits,
  cargoTypes,
  freshnesses,
  hauls,
  rateBases,
  reportTypes,
  serviceLevelNames,
} from "./enums.ts";
import { popularityBounds } from "./priced-period.ts";
import { surchargesTotalCents } from "./rate-report.ts";
import { longestTransitDays } from "./route.ts";
import { waypointKinds } from "./waypoint.ts";

/** One row as read, with its line number for messages. */
export type SourceRow = { line: number; values: unknown };
export type SourceTable = { file: string; rows: Iterable<SourceRow> };

export const tableNames = ["regions", "ports", "carriers", "tradeLanes", "routeGroups", "routes"] as const;
export type TableName = (typeof tableNames)[number];

/** An absent table changes nothing. */
export type CatalogueSource = { [Name in TableName]?: SourceTable } & { reports?: ReportSource };

/** Reports are streamed, so there may be many. Those of a program are valid: a test of the program validates some. */
export type ReportSource = (SourceTable | { generated: Iterable<ImportedReport> }) & { expectedRows: number };

export type RowError = { file: string; line: number; column: string; message: string };
export type Located<Row> = { line: number; record: Row };
export type CheckedTable<Row> = { file: string; rows: Located<Row>[] };

const code = z.string().regex(codePattern, "Not a code: letters, digits and . _ / - only");
const unlocode = z.string().regex(unlocodePattern, "Not a UN/LOCODE");
const name = z.string().trim().min(1).max(200);
const count = z.int().min(0).max(2_000_000_000);
const day = z.iso.date();
const instant = z.iso.datetime({ offset: true });
const cargoType = z.enum(cargoTypes);
const serviceLevel = z.enum(serviceLevelNames);

const region = z.strictObject({ code, name, geography: z.string() });

const port = z.strictObject({
  unlocode,
  altUnlocodes: z.array(unlocode),
  name,
  countryCode: z.string().length(2),
  country: name,
  regionCode: code,
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
  tier: z.int().min(1).max(3),
  cargoTypes: z.array(cargoType),
  timezone: z.string(),
});

const carrier = z.strictObject({ code, name, cargoTypes: z.array(cargoType) });

const tradeLane = z.strictObject({
  code,
  name,
  regionCode: code,
  originRegionCode: code,
  destinationRegionCode: code,
  haul: z.enum(hauls),
  /** Absent: the price stays. */
  basePriceCents: count.min(1).optional(),
});

const routeGroup = z.strictObject({ code, name, tradeLaneCode: code, cargoType });

const waypoint = z.strictObject({
  name: name.nullable(),
  kind: z.enum(waypointKinds),
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
  distanceNm: count,
});

const baseRate = z.strictObject({
  serviceLevel,
  equipmentType: z.string(),
  basis: z.string(),
  amountCents: count,
  currency: z.literal(currency),
  validFrom: day,
  validTo: day.nullable(),
});

const exchangeRate = z.strictObject({ rate: z.string(), asOf: day, source: z.string() });

const surcharge = z
  .strictObject({
    code: z.string().min(2).max(8),
    name,
    amountCents: count,
    currency: z.string().length(3),
    exchangeRate: exchangeRate.nullish(),
    basis: z.string(),
    mandatory: z.boolean(),
    validFrom: day,
    validTo: day.nullable(),
  })
  .refine((record) => (record.currency === currency) === !record.exchangeRate, {
    path: ["exchangeRate"],
    error: `For currencies other than ${currency} only, and for all of them`,
  });

const period = z.strictObject({
  code,
  name,
  startsOn: day,
  /** Exclusive. */
  endsOn: day.nullable(),
  freshness: z.enum(freshnesses),
  successorCode: code.nullable(),
});

/** A route replaces all its service levels, rates and surcharges. Periods are only added or changed. */
const route = z
  .strictObject({
    code,
    name,
    routeGroupCode: code,
    carrierCode: code,
    cargoType,
    originPort: unlocode,
    destinationPort: unlocode,
    distanceNm: count.min(1),
    passages: z.array(name),
    transhipments: z.int().min(0).max(20),
    intermediateCalls: z.int().min(0).max(50),
    sailingsPerWeek: z.number().positive().max(50),
    departureWeekdays: z.array(z.int().min(1).max(7)),
    waypoints: z.array(waypoint),
    capacityNominal: count,
    capacityAvailable: count,
    bookingStatus: z.enum(bookingStatuses),
    capacityObservedAt: instant,
    /** For new routes only. Later it follows demand. */
    popularityPercent: z.int().min(popularityBounds.min).max(popularityBounds.max),
    serviceLevels: z
      .array(
        z.strictObject({
          level: serviceLevel,
          speedKnots: z.number().positive(),
          transitDays: z.int().min(1).max(longestTransitDays),
        }),
      )
      .min(1),
    baseRates: z.array(baseRate),
    surcharges: z.array(surcharge),
    periods: z.array(period),
  })
  .superRefine((record, ctx) => {
    const refuse = (path: PropertyKey[], message: string) => ctx.addIssue({ code: "custom", path, message });
    if (record.capacityAvailable > record.capacityNominal)
      refuse(["capacityAvailable"], "More than the nominal capacity");
    const levels = new Set(record.serviceLevels.map(({ level }) => level));
    for (const [i, rate] of record.baseRates.entries()) {
      if (!levels.has(rate.serviceLevel))
        refuse(["baseRates", i, "serviceLevel"], "The route has no such service level");
    }
    const periodCodes = new Set(record.periods.map((segment) => segment.code));
    for (const [i, { startsOn, endsOn, successorCode }] of record.periods.entries()) {
      if (endsOn !== null && endsOn <= startsOn) refuse(["periods", i, "endsOn"], "Not after starts_on");
      if (successorCode !== null && !periodCodes.has(successorCode)) {
        refuse(["periods", i, "successorCode"], "Not a period of this route");
      }
    }
  });

const shapes = {
  regions: region,
  ports: port,
  carriers: carrier,
  tradeLanes: tradeLane,
  routeGroups: routeGroup,
  routes: route,
};

const reportedSurcharge = z.strictObject({
  code: z.string().min(2).max(8),
  amountCents: count,
  currency: z.string().length(3).optional(),
  exchangeRate: exchangeRate.optional(),
});

const report = z
  .strictObject({
    periodCode: code,
    type: z.enum(reportTypes),
    observedAt: instant,
    serviceLevel,
    equipmentType: z.string().max(4).default(""),
    vessel: name.optional(),
    voyage: name.optional(),
    etd: instant.optional(),
    eta: instant.optional(),
    transitDays: z.number().positive().optional(),
    basis: z.enum(rateBases).optional(),
    currency: z.string().length(3).optional(),
    baseRateCents: count.optional(),
    /** Their total is calculated from them. */
    surcharges: z.array(reportedSurcharge).optional(),
    /** For reports of a total only. */
    surchargesCents: count.optional(),
    availableCapacity: count.optional(),
    capacityUnit: z.enum(capacityUnits).optional(),
    bookingStatus: z.enum(bookingStatuses).optional(),
    onTimePercent: z.number().min(0).max(100).optional(),
    meanDelayDays: z.number().optional(),
    externalId: z.string().max(200).optional(),
  })
  .superRefine((record, ctx) => {
    for (const column of unitColumnsOf(record)) {
      if (record[column] === undefined) ctx.addIssue({ code: "custom", path: [column], message: "Missing" });
    }
  });

type Figures = { [Figure in "baseRateCents" | "surcharges" | "surchargesCents" | "availableCapacity"]?: unknown };

/** The columns that state the units of a report's figures. */
const unitColumnsOf = ({ baseRateCents, surcharges, surchargesCents, availableCapacity }: Figures) => [
  ...((baseRateCents ?? surcharges ?? surchargesCents) === undefined ? [] : (["basis", "currency"] as const)),
  ...(availableCapacity === undefined ? [] : (["capacityUnit"] as const)),
];

export type ImportedPort = z.infer<typeof port>;
export type ImportedTradeLane = z.infer<typeof tradeLane>;
export type ImportedRoute = z.infer<typeof route>;
export type ImportedReport = z.input<typeof report>;

export type Catalogue = { [Name in TableName]: CheckedTable<z.infer<(typeof shapes)[Name]>> };

/** Validates every row of every table, and that codes are unique within a table. */
export const checkCatalogue = (source: CatalogueSource): { catalogue: Catalogue; errors: RowError[] } => {
  const errors: RowError[] = [];
  const check = <Row>(table: SourceTable | undefined, shape: z.ZodType<Row>, key: (row: Row) => string) => {
    const checked = checkTable(table ?? { file: "", rows: [] }, shape, key);
    errors.push(...checked.errors);
    return checked.table;
  };
  const byCode = (row: { code: string }) => row.code;
  const catalogue = {
    regions: check(source.regions, shapes.regions, byCode),
    ports: check(source.ports, shapes.ports, (row) => row.unlocode),
    carriers: check(source.carriers, shapes.carriers, byCode),
    tradeLanes: check(source.tradeLanes, shapes.tradeLanes, byCode),
    routeGroups: check(source.routeGroups, shapes.routeGroups, byCode),
    routes: check(source.routes, shapes.routes, byCode),
  };
  return { catalogue, errors };
};

/** The codes that exist in the database. */
export type KnownCodes = Record<Exclude<TableName, "routes">, ReadonlySet<string>>;

/** References to codes that are neither in the import nor in the database. */
export const checkReferences = (catalogue: Catalogue, known: KnownCodes): RowError[] => {
  const all = {
    regions: joined(known.regions, catalogue.regions, (row) => row.code),
    ports: joined(known.ports, catalogue.ports, (row) => row.unlocode),
    carriers: joined(known.carriers, catalogue.carriers, (row) => row.code),
    tradeLanes: joined(known.tradeLanes, catalogue.tradeLanes, (row) => row.code),
    routeGroups: joined(known.routeGroups, catalogue.routeGroups, (row) => row.code),
  };
  return [
    ...missing(catalogue.ports, "regionCode", all.regions),
    ...missing(catalogue.tradeLanes, "regionCode", all.regions),
    ...missing(catalogue.tradeLanes, "originRegionCode", all.regions),
    ...missing(catalogue.tradeLanes, "destinationRegionCode", all.regions),
    ...missing(catalogue.routeGroups, "tradeLaneCode", all.tradeLanes),
    ...missing(catalogue.routes, "routeGroupCode", all.routeGroups),
    ...missing(catalogue.routes, "carrierCode", all.carriers),
    ...missing(catalogue.routes, "originPort", all.ports),
    ...missing(catalogue.routes, "destinationPort", all.ports),
  ];
};

export type KnownPeriod = { id: number; startsOn: Day; endsOn: Day | null };
export type PlacedReport = Omit<z.output<typeof report>, "periodCode"> & { periodId: number };

/** Validates reports. Their period must exist and cover the day of the observation. */
export const checkReports = (
  table: SourceTable,
  periods: ReadonlyMap<string, KnownPeriod>,
): { reports: PlacedReport[]; errors: RowError[] } => {
  const { table: checked, errors } = checkTable(table, report, reportKey);
  const refuse = (line: number, column: string, message: string) =>
    errors.push({ file: table.file, line, column, message });
  const reports: PlacedReport[] = [];
  for (const { line, record } of checked.rows) {
    const { periodCode, ...observation } = record;
    const found = periods.get(periodCode);
    if (found === undefined) refuse(line, "period_code", `Unknown: ${periodCode}`);
    else if (!covers(found, record.observedAt)) refuse(line, "observed_at", `Outside the period ${periodCode}`);
    else reports.push(withSurchargesTotal({ ...observation, periodId: found.id }));
  }
  return { reports, errors };
};

const reportKey = (row: z.output<typeof report>) =>
  `${row.periodCode} ${row.type} ${row.observedAt} ${row.serviceLevel} ${row.equipmentType}`;

type RateColumns = Pick<ImportedReport, "surcharges" | "surchargesCents" | "currency">;

/** Adds the total of the surcharges, if they are listed. */
export const withSurchargesTotal = <Row extends RateColumns>(row: Row): Row =>
  row.surcharges && row.currency ? { ...row, surchargesCents: surchargesCentsOf(row) } : row;

/** The total of the surcharges: that of the listed ones, or else as reported. */
export const surchargesCentsOf = ({ surcharges, surchargesCents, currency }: RateColumns): number | undefined =>
  surcharges && currency ? surchargesTotalCents(surcharges, currency) : surchargesCents;

const covers = ({ startsOn, endsOn }: KnownPeriod, observedAt: string): boolean => {
  const observedOn = observedAt.endsWith("Z")
    ? observedAt.slice(0, 10)
    : new Date(observedAt).toISOString().slice(0, 10);
  return startsOn <= observedOn && (endsOn === null || observedOn < endsOn);
};

const checkTable = <Row>(
  { file, rows }: SourceTable,
  shape: z.ZodType<Row, unknown>,
  keyOf: (row: Row) => string,
): { table: CheckedTable<Row>; errors: RowError[] } => {
  const errors: RowError[] = [];
  const lineByKey = new Map<string, number>();
  const located: Located<Row>[] = [];
  for (const { line, values } of rows) {
    const result = shape.safeParse(values);
    if (!result.success) {
      errors.push(
        ...result.error.issues.map((issue) => ({ file, line, column: columnOf(issue.path), message: issue.message })),
      );
      continue;
    }
    const key = keyOf(result.data);
    const earlier = lineByKey.get(key);
    if (earlier !== undefined)
      errors.push({ file, line, column: "code", message: `${key} stands in line ${earlier} already` });
    lineByKey.set(key, line);
    located.push({ line, record: result.data });
  }
  return { table: { file, rows: located }, errors };
};

const columnOf = (path: readonly PropertyKey[]): string =>
  path.map((part) => String(part).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join(".");

const joined = <Row>(known: ReadonlySet<string>, table: CheckedTable<Row>, key: (row: Row) => string) =>
  new Set([...known, ...table.rows.map(({ record }) => key(record))]);

const missing = <Column extends string>(
  { file, rows }: CheckedTable<Record<Column, string>>,
  column: Column,
  known: ReadonlySet<string>,
): RowError[] =>
  rows
    .filter(({ record }) => !known.has(record[column]))
    .map(({ line, record }) => ({ file, line, column: columnOf([column]), message: `Unknown: ${record[column]}` }));
