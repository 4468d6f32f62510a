/** The price history of periods. Whatever changes prices calls `recordPrices` afterwards. */
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import type { PeriodPrice } from "./price-history.ts";
import * as queries from "./price-history-queries.server.ts";

/**
 * Records the price of every period on sale that has no recorded price, or whose price or factors differ from the recorded
 * ones.
 * A missed call is made up for by the next one.
 *
 * @returns the number of prices recorded
 */
export const recordPrices = (db: Tx, now: Date): Promise<number> => queries.recordPrices(db, now);

/** The latest prices of a route's periods, newest first. */
export const priceHistory = (
  ctx: Pick<Context, "db">,
  { routeId, limit }: { routeId: number; limit: number },
): Promise<PeriodPrice[]> => queries.priceHistory(ctx.db, routeId, limit);
