import { pricedPeriodsOfRoutes } from "../catalogue/browse.server.ts";
import { runningPeriod } from "../catalogue/period.ts";
import { isOnSale, type PricedPeriod } from "../catalogue/priced-period.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { groupBy } from "../group-by.ts";
import type { Term } from "../pricing/discounts.ts";
import { monthlyPriceCents, type QuoteLine, quoteLine } from "../pricing/quote.ts";
import { renewalVolumeDiscount } from "../pricing/volume-discount.ts";
import * as queries from "./queries.server.ts";
import type { SubscriptionRow } from "./subscription.ts";

export type RenewalRequest = {
  subscription: Pick<SubscriptionRow, "id" | "accountId" | "routeId" | "periodId">;
  term: Term;
  /** The day of the charge, today or later. It decides which period the renewal is for. */
  on: Day;
};

/**
 * What each renewal costs, in the order of the requests: the price that was announced for this end and term, else
 * today's. Null when the route has no period on sale. The subscription's own route counts for the volume discount,
 * running or not. Three statements, however many requests.
 *
 * @spec Subscription, rule 5
 */
export const renewalQuotes = async (
  ctx: Pick<Context, "db" | "clock">,
  requests: readonly RenewalRequest[],
): Promise<(QuoteLine | null)[]> => {
  if (requests.length === 0) return [];
  const today = dayOf(ctx.clock.now());
  const distinct = (key: "id" | "accountId" | "routeId") => [
    ...new Set(requests.map(({ subscription }) => subscription[key])),
  ];
  const [periods, running, locks] = await Promise.all([
    pricedPeriodsOfRoutes(ctx, distinct("routeId")),
    queries.runningRoutes(ctx.db, distinct("accountId"), today),
    queries.priceLocks(ctx.db, distinct("id"), today),
  ]);
  const periodsOf = groupBy(periods, ({ routeId }) => routeId);
  const runningOf = groupBy(running, ({ accountId }) => accountId);
  const lockOf = new Map(locks.map((lock) => [lockKey(lock.subscriptionId, lock.term), lock.price]));
  return requests.map(({ subscription: { id, accountId, routeId, periodId }, term, on }) => {
    const candidates = periodsOf.get(routeId) ?? [];
    // A successor may not be known yet for the day of the charge.
    const period = periodOnSale(candidates, periodId, on) ?? periodOnSale(candidates, periodId, today);
    if (!period) return null;
    const routes = new Set([...(runningOf.get(accountId) ?? []).map((row) => row.routeId), routeId]);
    const item = { periodId: period.id, routeId, term, monthlyCents: monthlyPriceCents(period) };
    return { ...quoteLine(item, renewalVolumeDiscount(routes.size)), ...lockOf.get(lockKey(id, term)) };
  });
};

const lockKey = (subscriptionId: number, term: Term) => `${subscriptionId} ${term}`;

const periodOnSale = (periods: PricedPeriod[], periodId: number, day: Day): PricedPeriod | null => {
  const period = runningPeriod(periods, periodId, day);
  return period && isOnSale(period, day) ? period : null;
};
