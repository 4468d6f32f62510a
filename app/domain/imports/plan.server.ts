/** Plans what a file of routes or rates would change in the current catalogue. Writes nothing. */
import type { Tx } from "../../platform/db.server.ts";
import { checkCatalogue, type ImportedRoute } from "../catalogue/import-records.ts";
import type { Context } from "../context.ts";
import { dayOf, isoInstant } from "../dates.ts";
import { type CellError, type FileRow, type Plan, withPauses } from "./check.ts";
import * as queries from "./queries.server.ts";
import { planRates } from "./rates-file.ts";
import { planRoutes } from "./routes-file.ts";
import { seaRouteFinder } from "./sea-routes.server.ts";

export const planRows = async (
  { db, now }: { db: Tx; now: Date },
  kind: "routes" | "rates",
  rows: FileRow[],
): Promise<Plan> => {
  const errors: CellError[] = [];
  const column = kind === "routes" ? "code" : "route_code";
  const codes = new Set(rows.map(({ cells }) => cells[column] ?? ""));
  const known = await queries.knownCatalogue(db, [...codes]);
  const plan =
    kind === "rates"
      ? await planRates(rows, errors, { known })
      : await planRoutes(rows, errors, {
          known,
          wayOf: await seaRouteFinder(),
          today: dayOf(now),
          now: isoInstant(now),
        });
  // Also run the importer's own checks, so that it accepts whatever passes here.
  for await (const row of withPauses(plan.source.routes?.rows ?? [])) {
    if (errors.length > 0) break;
    errors.push(...checkCatalogue({ routes: { file: "", rows: [row] } }).errors.map(withoutValue));
  }
  return { ...plan, errors };
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

const withoutValue = ({ line, column, message }: Omit<CellError, "value">): CellError => ({
  line,
  column,
  value: "",
  message,
});
