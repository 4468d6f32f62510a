import type { Account } from "../accounts/caller.ts";
import { pricedPeriods } from "../catalogue/browse.server.ts";
import { isOnSale } from "../catalogue/priced-period.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import type { Term } from "../pricing/discounts.ts";
import { monthlyPriceCents, type Quote, quote } from "../pricing/quote.ts";
import * as queries from "./queries.server.ts";

export type OrderItem = { periodId: number; term: Term };

/**
 * Today's price of an order for this account.
 *
 * @throws not_found for a period that does not exist
 * @throws conflict for a period that is not on sale, because it has ended, not begun or been retired
 * @throws invalid for duplicate periods, and from `customPricingFromRoutes` on without an agreed discount
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
    queries.runningRoutes(ctx.db, [account.id], today),
  ]);
  const byId = new Map(periods.map((period) => [period.id, period]));
  const seen = new Set<number>();
  const priced = items.map(({ periodId, term }, index) => {
    const period = byId.get(periodId);
    if (!period) throw notFound(`Period ${periodId}`);
    if (!isOnSale(period, today)) {
      throw conflict(
        period.retiredAt === null
          ? `Period ${periodId} is not on sale: it has ended, or has not begun`
          : `Period ${periodId} is not on sale: it was retired`,
      );
    }
    if (seen.has(periodId)) throw invalid(`items.${index}.period_id`, "This period is in the order already");
    seen.add(periodId);
    return { periodId, routeId: period.routeId, term, monthlyCents: monthlyPriceCents(period) };
  });
  const runningRouteIds = runningRoutes.map(({ routeId }) => routeId);
  return quote(priced, runningRouteIds, account.customDiscountPercent);
};
