import { pricedPeriodsOfRoutes } from "../catalogue/browse.server.ts";
import { runningPeriod } from "../catalogue/period.ts";
import { isOnSale, type PricedPeriod } from "../catalogue/priced-period.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { conflict } from "../errors.ts";
import { groupBy } from "../group-by.ts";
import { listed } from "../wording.ts";

type Line = { periodId: number; routeId: number; routeName: string };

/**
 * The period that each line buys today. Periods may end between request and acceptance; then their successors are bought.
 *
 * @throws conflict naming the routes that have nothing on sale
 */
export const periodsOnSale = async (
  ctx: Pick<Context, "db" | "clock">,
  lines: readonly Line[],
): Promise<(line: Pick<Line, "periodId">) => PricedPeriod> => {
  const today = dayOf(ctx.clock.now());
  const periods = await pricedPeriodsOfRoutes(
    ctx,
    lines.map(({ routeId }) => routeId),
  );
  const ofRoute = groupBy(periods, ({ routeId }) => routeId);
  const onSale = new Map<number, PricedPeriod>();
  for (const { periodId, routeId } of lines) {
    const period = runningPeriod(ofRoute.get(routeId) ?? [], periodId, today);
    if (period && isOnSale(period, today)) onSale.set(periodId, period);
  }
  const gone = lines.filter(({ periodId }) => !onSale.has(periodId));
  if (gone.length > 0) {
    throw conflict(`No longer on sale: ${listed(gone.map(({ routeName }) => routeName))}. Request a new quote`);
  }
  return ({ periodId }) => {
    const period = onSale.get(periodId);
    if (!period) throw new Error(`Period ${periodId} is in none of the lines`);
    return period;
  };
};
