import type { Account } from "../accounts/caller.ts";
import { pricedPeriods } from "../catalogue/browse.server.ts";
import { isOpen, runningPeriod } from "../catalogue/period.ts";
import { routePeriods } from "../catalogue/route-data.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import type { Term } from "../pricing/discounts.ts";
import { monthlyPriceCents, type QuoteLine, quoteLine } from "../pricing/quote.ts";
import { renewalVolumeDiscount } from "../pricing/volume-discount.ts";
import * as queries from "./queries.server.ts";
import type { SubscriptionRow } from "./subscription.ts";

/**
 * What going on with a subscription costs today, for the period in which it goes on; null when the route has none on
 * sale any more. Its own route counts for the volume discount, running or not.
 */
export const renewalLine = async (
  ctx: Pick<Context, "db" | "clock">,
  account: Pick<Account, "id">,
  subscription: Pick<SubscriptionRow, "routeId" | "periodId">,
  term: Term,
): Promise<QuoteLine | null> => {
  const today = dayOf(ctx.clock.now());
  const { routeId } = subscription;
  const periods = await routePeriods(ctx, routeId, []);
  const next = runningPeriod(periods, subscription.periodId, today);
  if (!next || !isOpen(next, today)) return null;
  const [[priced], running] = await Promise.all([
    pricedPeriods(ctx, [next.id]),
    queries.runningRouteIds(ctx.db, account.id, today),
  ]);
  if (!priced) return null;
  const volume = renewalVolumeDiscount(new Set([...running, routeId]).size);
  return quoteLine({ periodId: next.id, routeId, term, monthlyCents: monthlyPriceCents(priced) }, volume);
};
