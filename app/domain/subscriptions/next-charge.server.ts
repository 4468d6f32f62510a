import { pricedPeriods } from "../catalogue/browse.server.ts";
import type { Context } from "../context.ts";
import { addDays, type Day, dayOf } from "../dates.ts";
import { monthlyPriceCents, quoteLine } from "../pricing/quote.ts";
import { renewalVolumeDiscount } from "../pricing/volume-discount.ts";
import { chargeDaysBeforeEnd } from "./policy.ts";
import type { SubscriptionRow } from "./subscription.ts";

export type NextCharge = { date: Day; amountCents: number };

/** One that renews by itself: whoever asks has looked at its flags. `runningRoutes`: its account's. */
export type Renewing = Pick<SubscriptionRow, "id" | "routeId" | "periodId" | "renewalTerm" | "endDate"> & {
  runningRoutes: number;
};

/** When each will be charged, and how much at today's prices. Those whose period is gone are missing. */
export const nextCharges = async (
  ctx: Pick<Context, "db" | "clock">,
  renewing: readonly Renewing[],
): Promise<Map<number, NextCharge>> => {
  if (renewing.length === 0) return new Map();
  const today = dayOf(ctx.clock.now());
  const periods = await pricedPeriods(ctx, [...new Set(renewing.map(({ periodId }) => periodId))]);
  const periodOf = new Map(periods.map((period) => [period.id, period]));
  return new Map(
    renewing.flatMap(({ id, routeId, periodId, renewalTerm, endDate, runningRoutes }) => {
      const period = periodOf.get(periodId);
      if (!period) return [];
      const line = { periodId, routeId, term: renewalTerm, monthlyCents: monthlyPriceCents(period) };
      const { totalCents } = quoteLine(line, renewalVolumeDiscount(runningRoutes));
      return [[id, { date: chargeDateOf(endDate, today), amountCents: totalCents }]];
    }),
  );
};

/** When a renewal is charged: today, when the day has passed already. */
export const chargeDateOf = (endDate: Day, today: Day): Day => {
  const date = addDays(endDate, -chargeDaysBeforeEnd);
  return date < today ? today : date;
};
