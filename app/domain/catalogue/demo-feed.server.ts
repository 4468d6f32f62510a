import type { Context } from "../context.ts";
import * as queries from "./demo-feed-queries.server.ts";
import { lockCatalogue } from "./import-queries.server.ts";

/** Periods that fall due so soon get their observation now. The job runs every ten minutes, so that none is ever late. */
const aheadMs = 40 * 60_000;

/** More than the demo has periods, so that one run writes them all. */
const mostPerRun = 5_000;

/**
 * The demo's data supplier: writes what falls due for the periods of the demo's carriers, whose names end in `(demo)`. A
 * run writes one observation per period at most, however much time has passed since the last one.
 *
 * @returns how many periods have new data
 */
export const feedDemo = async (ctx: Pick<Context, "db" | "clock" | "settings">): Promise<number> => {
  if (!ctx.settings.testMode) return 0;
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    await lockCatalogue(tx, { now, source: "feed" });
    return queries.observe(tx, { now, dueBy: new Date(now.getTime() + aheadMs), limit: mostPerRun });
  });
};
