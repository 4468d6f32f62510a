/** Plans what a file would change in the current catalogue. Writes nothing. */
import type { Tx } from "../../platform/db.server.ts";
import { readExchangeRates } from "../catalogue/exchange-rates.server.ts";
import { checkCatalogue, type ImportedRoute } from "../catalogue/import-records.ts";
import type { Context } from "../context.ts";
import { dayOf, isoInstant } from "../dates.ts";
import type { CellError } from "./cell-error.ts";
import { type OnProgress, type Plan, withPauses } from "./check.ts";
import { cellRows, type FileFormat, type FileRow, isObject, jsonRows } from "./file.ts";
import * as queries from "./queries.server.ts";
import { planRates } from "./rates-file.ts";
import { planReports } from "./reports-file.ts";
import { planRoutes } from "./routes-file.ts";
import { seaRouteFinder } from "./sea-routes.server.ts";

/** @param onProgress called with the number of lines read */
export const planImport = async (
  { db, clock }: Pick<Context, "clock"> & { db: Tx },
  { text, format }: { text: string; format: FileFormat },
  onProgress: OnProgress = () => {},
): Promise<Plan> => {
  const now = clock.now();
  const errors: CellError[] = [];
  const known = await queries.knownCatalogue(db, routeCodesIn(text, format));
  const plan = await planOf();
  if (plan.rows === 0 && errors.length === 0) {
    errors.push({ line: 1, column: "", value: "", message: "There are no lines with data below the first" });
  }
  // Also run the importer's own checks, so that it accepts whatever passes here.
  for await (const row of withPauses(plan.source.routes?.rows ?? [])) {
    if (errors.length > 0) break;
    errors.push(...checkCatalogue({ routes: { file: "", rows: [row] } }).errors.map(withoutValue));
  }
  return { ...plan, errors: errors.toSorted((a, b) => a.line - b.line) };

  async function planOf(): Promise<Plan> {
    if (format.kind === "reports") {
      const periods = await queries.knownPeriods(db, [...known.routes.keys()]);
      const compare = queries.comparedReports(db);
      const findExchangeRate = await readExchangeRates(db);
      return planReports(jsonRows(text, errors), errors, { known, periods, compare, findExchangeRate, onProgress });
    }
    const rows = cellRows(text, format, errors);
    if (format.kind === "rates") return planRates(rows, errors, { known, onProgress });
    const world = { known, wayOf: await seaRouteFinder(), today: dayOf(now), now: isoInstant(now), onProgress };
    return planRoutes(rows, errors, world);
  }
};

/**
 * Plans one route, given the columns of a routes file: one row for each of its service levels. The plan leaves periods
 * alone; a new route has none.
 */
export const planRoute = async (
  { db, clock }: Pick<Context, "clock"> & { db: Tx },
  code: string,
  rows: FileRow[],
): Promise<Pick<Plan, "source" | "errors">> => {
  const now = clock.now();
  const errors: CellError[] = [];
  const known = await queries.knownCatalogue(db, [code]);
  const world = { known, wayOf: await seaRouteFinder(), today: dayOf(now), now: isoInstant(now) };
  const { source } = await planRoutes(rows, errors, world);
  const periods = known.routes.get(code)?.periods ?? [];
  const routes = [...(source.routes?.rows ?? [])].map(({ line, values }) => ({
    line,
    values: { ...(values as ImportedRoute), periods },
  }));
  return { source: { ...source, routes: { file: "route", rows: routes } }, errors };
};

/** A route in the form of an import record. Null: there is none. */
export const currentRoute = async (db: Tx, code: string): Promise<ImportedRoute | null> =>
  (await queries.currentRoutes(db, [code])).get(code) ?? null;

/** Reads the file in advance, so that one query can fetch all its routes. */
const routeCodesIn = (text: string, format: FileFormat): string[] => {
  const codes = new Set<string>();
  if (format.kind === "reports") {
    for (const { value } of jsonRows(text, [])) {
      if (isObject(value) && typeof value.route_code === "string") codes.add(value.route_code);
    }
    return [...codes];
  }
  const column = format.kind === "routes" ? "code" : "route_code";
  for (const { cells } of cellRows(text, format, [])) codes.add(cells[column] ?? "");
  return [...codes];
};

const withoutValue = ({ line, column, message }: Omit<CellError, "value">): CellError => ({
  line,
  column,
  value: "",
  message,
});
