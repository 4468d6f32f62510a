/** Rates files: one line per base rate or surcharge of a route. */
import { z } from "zod";
import type { ImportedRoute } from "../catalogue/import-records.ts";
import { rateBasis } from "../catalogue/route.ts";
import { addDays } from "../dates.ts";
import type { KnownCatalogue } from "./catalogue-snapshot.ts";
import type { CellError } from "./cell-error.ts";
import { amount, code, currency, day, dayOrNone, serviceLevel } from "./cells.ts";
import { checked, type OnProgress, type Plan, sameRecord, withPauses } from "./check.ts";
import type { CellSchemas, FileRow } from "./file.ts";

const surchargeBases = [
  "per_container",
  "per_teu",
  "per_tonne",
  "per_lane_metre",
  "per_freight_tonne",
  "per_bl",
  "per_day",
] as const;

const shared = {
  route_code: code,
  valid_from: day,
  valid_to: dayOrNone,
  charge_code: z.string().regex(/^[A-Z0-9]{2,8}$/, "Not a charge code. Write 2 to 8 capitals, such as BAF"),
  amount,
  currency,
};

const rateLine = z.discriminatedUnion(
  "charge_type",
  [
    z.object({
      ...shared,
      charge_type: z.literal("base"),
      service_level: serviceLevel,
      equipment_type: z.string().default(""),
      basis: z.string(),
    } satisfies CellSchemas<"rates">),
    z.object({
      ...shared,
      charge_type: z.literal("surcharge"),
      service_level: z.string().default(""),
      equipment_type: z.string().default(""),
      basis: z.enum(surchargeBases, `Not a basis. Write one of ${surchargeBases.join(", ")}`),
    } satisfies CellSchemas<"rates">),
  ],
  "Neither base nor surcharge. Write one of them",
);
type RateLine = z.output<typeof rateLine>;
type Note = (column: string, message: string) => void;

/**
 * A charge valid from the same day is replaced. An older one that would still be valid ends on the day before. All
 * other charges stay.
 */
export const planRates = async (
  rows: Iterable<FileRow>,
  errors: CellError[],
  { known, onProgress }: { known: KnownCatalogue; onProgress?: OnProgress },
): Promise<Plan> => {
  const after = new Map<string, { line: number; route: ImportedRoute }>();
  const seen = new Map<string, { line: number; charge: object }>();
  const counts = { new: 0, changed: 0, unchanged: 0 };
  let count = 0;
  for await (const row of withPauses(rows, onProgress)) {
    count++;
    const found = errors.length;
    const line = checked(rateLine, row, errors);
    if (!line) continue;
    const note: Note = (column, message) =>
      errors.push({ line: row.line, column, value: row.cells[column] ?? "", message });
    const before = known.routes.get(line.route_code);
    if (!before) {
      note("route_code", "There is no such route. Correct the code, or import the route first");
      continue;
    }
    check(line, before, note);
    checkTwice(line, row.line, seen, note);
    if (errors.length > found) continue;
    const entry = after.get(line.route_code) ?? { line: row.line, route: before };
    const { route, outcome } =
      line.charge_type === "base" ? withRate(entry.route, line) : withSurcharge(entry.route, line);
    after.set(line.route_code, { ...entry, route });
    counts[outcome]++;
  }
  const changed = [...after.values()].filter(({ route }) => !sameRecord(route, known.routes.get(route.code)));
  return {
    rows: count,
    counts,
    errors,
    source: { routes: { file: "rates", rows: changed.map(({ line, route }) => ({ line, values: route })) } },
  };
};

const check = (line: RateLine, route: ImportedRoute, note: Note): void => {
  if (line.valid_to !== null && line.valid_to < line.valid_from) {
    note("valid_to", "Before valid_from. It is the last day on which the charge holds");
  }
  if (line.charge_type === "surcharge") {
    if (line.charge_code === "BAS")
      note("charge_code", "BAS is the base rate. Write its own code, or base as the type");
    return;
  }
  if (line.charge_code !== "BAS")
    note("charge_code", "A base rate has the code BAS. Write it, or surcharge as the type");
  if (!route.serviceLevels.some(({ level }) => level === line.service_level)) {
    note("service_level", `The route has ${route.serviceLevels.map(({ level }) => level).join(", ")} only`);
  }
  const basis = rateBasis[route.cargoType];
  if (line.basis !== basis) note("basis", `Rates of ${route.cargoType} cargo are ${basis}. Write that`);
  if (route.cargoType === "container" && !/^[0-9A-Z]{4}$/.test(line.equipment_type)) {
    note("equipment_type", "Not an ISO 6346 size and type. Write four characters, such as 45G1");
  }
  if (route.cargoType !== "container" && line.equipment_type !== "") {
    note("equipment_type", "Equipment is for containers only. Leave the cell empty");
  }
};

/** Surcharges belong to the route, so equal duplicates are allowed. */
const checkTwice = (
  line: RateLine,
  at: number,
  seen: Map<string, { line: number; charge: object }>,
  note: Note,
): void => {
  const { route_code, charge_code, valid_from } = line;
  const own = line.charge_type === "base" ? [line.service_level, line.equipment_type] : [];
  const key = JSON.stringify([route_code, charge_code, valid_from, ...own]);
  const charge = { amount: line.amount, basis: line.basis, validTo: line.valid_to };
  const earlier = seen.get(key);
  if (!earlier) seen.set(key, { line: at, charge });
  else if (line.charge_type === "base")
    note("charge_code", `Stands in line ${earlier.line} already. Leave one of them out`);
  else if (!sameRecord(earlier.charge, charge)) {
    note("amount", `Line ${earlier.line} says something else. A surcharge is the same for all levels and equipment`);
  }
};

type Outcome = { route: ImportedRoute; outcome: keyof Plan["counts"] };
type LineOf<Type extends RateLine["charge_type"]> = Extract<RateLine, { charge_type: Type }>;

const withRate = (route: ImportedRoute, line: LineOf<"base">): Outcome => {
  const rate = {
    serviceLevel: line.service_level,
    equipmentType: line.equipment_type,
    basis: line.basis,
    amountCents: line.amount,
    currency: "USD" as const,
    validFrom: line.valid_from,
    validTo: line.valid_to,
  };
  const { charges, outcome } = merged(
    route.baseRates,
    rate,
    (each) => each.serviceLevel === rate.serviceLevel && each.equipmentType === rate.equipmentType,
  );
  return { route: { ...route, baseRates: charges }, outcome };
};

const withSurcharge = (route: ImportedRoute, line: LineOf<"surcharge">): Outcome => {
  const latest = route.surcharges.findLast((each) => each.code === line.charge_code);
  const surcharge = {
    code: line.charge_code,
    name: latest?.name ?? surchargeNames[line.charge_code] ?? line.charge_code,
    amountCents: line.amount,
    currency: "USD" as const,
    basis: line.basis,
    mandatory: latest?.mandatory ?? true,
    validFrom: line.valid_from,
    validTo: line.valid_to,
  };
  const { charges, outcome } = merged(route.surcharges, surcharge, (each) => each.code === surcharge.code);
  return { route: { ...route, surcharges: charges }, outcome };
};

/** @param isSameKind whether an older charge is of the same kind */
const merged = <Charge extends { validFrom: string; validTo: string | null }>(
  charges: readonly Charge[],
  charge: Charge,
  isSameKind: (each: Charge) => boolean,
): { charges: Charge[]; outcome: keyof Plan["counts"] } => {
  const before = charges.find((each) => isSameKind(each) && each.validFrom === charge.validFrom);
  const others = charges
    .filter((each) => each !== before)
    .map((each) => {
      const holdsStill =
        isSameKind(each) &&
        each.validFrom < charge.validFrom &&
        (each.validTo === null || each.validTo >= charge.validFrom);
      return holdsStill ? { ...each, validTo: addDays(charge.validFrom, -1) } : each;
    });
  const at = before ? charges.indexOf(before) : others.length;
  const outcome = before === undefined ? "new" : sameRecord(before, charge) ? "unchanged" : "changed";
  return { charges: others.toSpliced(at, 0, charge), outcome };
};

/** The usual names of surcharges. */
const surchargeNames: Readonly<Record<string, string>> = {
  BAF: "Bunker Adjustment Factor",
  CAF: "Currency Adjustment Factor",
  CGS: "Port Congestion Surcharge",
  DOC: "Documentation fee",
  DTHC: "Terminal Handling Charge – Destination",
  ETS: "EU Emissions Trading System surcharge",
  GRI: "General Rate Increase",
  ISPS: "International Ship and Port Facility Security charge",
  LSS: "Low Sulphur Surcharge",
  OTHC: "Terminal Handling Charge – Origin",
  PCS: "Panama Canal Surcharge",
  PSS: "Peak Season Surcharge",
  SCS: "Suez Canal Surcharge",
  WRS: "War Risk Surcharge",
};
