import type { Caller } from "../accounts/caller.ts";
import { chargesOfRoutes } from "../catalogue/route-data.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { groupBy } from "../group-by.ts";
import { openedRoutes } from "../subscriptions/opened-routes.server.ts";
import * as queries from "./queries.server.ts";
import type { RateRow } from "./rate-columns.ts";

const routesPerBatch = 100;

/**
 * The base rates and surcharges in force today, of these routes or of all subscribed ones, in batches.
 *
 * @throws not_found, forbidden as `openedRoutes`
 */
export const openRates = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller,
  routeIds?: readonly number[],
): Promise<AsyncGenerator<RateRow[], void>> => {
  const opened = await openedRoutes(ctx, caller, routeIds);
  const today = dayOf(ctx.clock.now());
  const ids = opened.map(({ routeId }) => routeId);
  const routes = await queries.exportedRoutes(ctx.db, ids, undefined);
  return (async function* () {
    for (let begin = 0; begin < routes.length; begin += routesPerBatch) {
      const some = routes.slice(begin, begin + routesPerBatch);
      const charges = await chargesOfRoutes(
        ctx,
        some.map(({ id }) => id),
        today,
      );
      const ratesByRoute = groupBy(charges.rates, ({ routeId }) => routeId);
      const surchargesByRoute = groupBy(charges.surcharges, ({ routeId }) => routeId);
      yield some.flatMap((route): RateRow[] => [
        ...(ratesByRoute.get(route.id) ?? []).map((rate) => ({ route, kind: "base_rate" as const, ...rate })),
        ...(surchargesByRoute.get(route.id) ?? []).map((one) => ({ route, kind: "surcharge" as const, ...one })),
      ]);
    }
  })();
};
