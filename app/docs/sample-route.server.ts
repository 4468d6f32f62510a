/** Which routes the samples of the documentation are about, so that their ids exist in this catalogue. */
import { demoRouteCode, demoSample, type SampleRoute } from "../api/sample-route.ts";
import type { Caller } from "../domain/accounts/caller.ts";
import { browse, summariesOf } from "../domain/catalogue/browse.server.ts";
import type { RouteSummary } from "../domain/catalogue/browse.ts";
import type { Context } from "../domain/context.ts";
import { failureOf } from "../domain/failure.ts";
import { listStatuses } from "../domain/subscriptions/list.server.ts";

/**
 * Routes whose data the reader can read: subscribed ones, else samples. For what is bought, a route that is subscribed to,
 * else the demo's route if it is on sale, else the first that is. The demo's ids while there are none, or no database.
 */
export const sampleRoute = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller | null = null,
): Promise<SampleRoute> => {
  try {
    const [own, samples, featured, others] = await Promise.all([
      caller ? subscribedRoutes(ctx, caller) : [],
      browse(ctx, { is_sample: "true" }, { limit: 10 }),
      browse(ctx, { q: demoRouteCode }, { limit: 1 }),
      browse(ctx, {}, { limit: 10 }),
    ]);
    const onSale = [...own, ...featured.rows, ...others.rows].filter(({ periods }) => periods.length > 0);
    const [route, other] = distinct([...own, ...containersFirst(samples.rows), ...onSale]);
    const [bought] = onSale;
    return route && other && bought ? sampleOf({ route, other, bought }) : demoSample;
  } catch (error) {
    if (failureOf(error).kind === "database_away") return demoSample;
    throw error;
  }
};

const containersFirst = (routes: RouteSummary[]) =>
  routes.toSorted((a, b) => Number(b.cargoType === "container") - Number(a.cargoType === "container"));

/** At most two, as samples are about one route or two. */
const subscribedRoutes = async (ctx: Pick<Context, "db" | "clock">, caller: Caller): Promise<RouteSummary[]> => {
  const running = (await listStatuses(ctx, caller)).filter(({ status }) => status !== "expired");
  return summariesOf(ctx, [...new Set(running.map(({ routeId }) => routeId))].slice(0, 2));
};

const distinct = (routes: RouteSummary[]) => [...new Map(routes.map((route) => [route.id, route])).values()];

type Chosen = Record<"route" | "other" | "bought", RouteSummary>;

const sampleOf = ({ route, other, bought }: Chosen): SampleRoute => ({
  routeId: route.id,
  otherRouteId: other.id,
  periodId: bought.periods[0]?.id ?? demoSample.periodId,
  origin: bought.origin.unlocode,
  destination: bought.destination.unlocode,
});
