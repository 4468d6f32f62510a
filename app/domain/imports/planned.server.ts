/** Routes and rates: the whole file is planned in memory, against a snapshot of the catalogue. */
import { sql } from "drizzle-orm";
import { writeCatalogue } from "../catalogue/import.server.ts";
import type { Plan } from "./check.ts";
import type { ImportSteps, StagedFile } from "./kind.server.ts";
import { planRows } from "./plan.server.ts";
import * as queries from "./queries.server.ts";

const planOf = async (kind: "routes" | "rates", file: StagedFile): Promise<Plan> =>
  planRows({ db: file.db, now: file.now }, kind, await queries.stagedCells(file.db, file.table));

const stepsOf = (kind: "routes" | "rates"): ImportSteps => ({
  key: null,
  checkStaged: async (file, find) => {
    const { errors } = await planOf(kind, file);
    const found = errors.map(({ line, ...error }) => ({ row: line, code: "malformed", ...error }));
    await find(
      "error",
      sql`select * from jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
        as f(row integer, "column" text, code text, message text, value text)`,
    );
  },
  diff: async (file) => ({ counts: (await planOf(kind, file)).counts, changes: [], prices: [] }),
  routes: ({ table }) =>
    sql`select id as route_id from routes where code in (select coalesce(cells->>'route_code', cells->>'code') from ${table})`,
  apply: async (file) => {
    const { source } = await planOf(kind, file);
    await writeCatalogue(file.db, source, file.now);
    return undefined;
  },
});

export const routeSteps = stepsOf("routes");
export const rateSteps = stepsOf("rates");
