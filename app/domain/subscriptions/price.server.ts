import type { Account } from "../accounts/caller.ts";
import { pricedPeriods } from "../catalogue/browse.server.ts";
import { isOpen } from "../catalogue/period.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import type { Term } from "../pricing/discounts.ts";
import { monthlyPriceCents, type Quote, quote } from "../pricing/quote.ts";
import * as queries from "./queries.server.ts";

export type OrderItem = { periodId: number; term: Term };

/**
 * What these periods cost this account now.
 *
 * @throws not_found for a period that does not exist
 * @throws conflict for a period that has ended or not begun: it is not on sale
 * @throws invalid for the same period twice, and beyond the table of volume discounts without an agreed one
 * @spec Terms and discounts
 */
export const priceOrder = async (
  ctx: Pick<Context, "db" | "clock">,
  account: Account,
  items: OrderItem[],
): Promise<Quote> => {
  const today = dayOf(ctx.clock.now());
  const [periods, runningRoutes] = await Promise.all([
    pricedPeriods(
      ctx,
      items.map(({ periodId }) => periodId),
    ),
    queries.runningRouteIds(ctx.db, account.id, today),
  ]);
  const byId = new Map(periods.map((period) => [period.id, period]));
  const seen = new Set<number>();
  const priced = items.map(({ periodId, term }, index) => {
    const period = byId.get(periodId);
    if (!period) throw notFound(`Period ${periodId}`);
    if (!isOpen(period, today)) throw conflict(`Period ${periodId} is not on sale: it has ended, or not begun`);
    if (seen.has(periodId)) throw invalid(`items.${index}.period_id`, "This period is in the order already");
    seen.add(periodId);
    return { periodId, routeId: period.routeId, term, monthlyCents: monthlyPriceCents(period) };
  });
  return quote(priced, runningRoutes, account.customDiscountPercent);
};
