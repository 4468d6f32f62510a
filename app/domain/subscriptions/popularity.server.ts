import { lockCatalogue } from "../catalogue/import.server.ts";
import { setPopularity } from "../catalogue/popularity.server.ts";
import { recordPrices } from "../catalogue/price-history.server.ts";
import type { Context } from "../context.ts";
import { addDays, dayOf } from "../dates.ts";
import { groupBy } from "../group-by.ts";
import { popularityDays, popularityPercentOf } from "../pricing/popularity.ts";
import * as queries from "./queries.server.ts";

/**
 * Recomputes every route's popularity factor from the subscriptions that were active in the last `popularityDays`, and
 * records the prices that have changed since the last run. Runs nightly.
 *
 * @returns the number of routes whose factor changed
 */
export const recomputePopularity = async (
  ctx: Pick<Context, "db" | "clock">,
  signal?: AbortSignal,
): Promise<number> => {
  const now = ctx.clock.now();
  const today = dayOf(now);
  const demand = await queries.demandByRoute(ctx.db, addDays(today, -popularityDays), today);
  const changed = demand
    .map(({ routeId, percent, subscriptions }) => ({ routeId, percent, next: popularityPercentOf(subscriptions) }))
    .filter(({ percent, next }) => percent !== next);
  let set = 0;
  for (const [percent, routes] of groupBy(changed, ({ next }) => next)) {
    if (signal?.aborted) break;
    await ctx.db.transaction(async (tx) => {
      await lockCatalogue(tx, { now, source: "calendar" });
      await setPopularity(
        tx,
        routes.map(({ routeId }) => routeId),
        percent,
      );
    });
    set += routes.length;
  }
  if (!signal?.aborted) await recordPrices(ctx.db, now);
  return set;
};
