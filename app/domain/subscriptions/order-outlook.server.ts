/** What paying an open order brings: the days with access, and the renewals that follow. */

import type { Caller } from "../accounts/caller.ts";
import type { AgreedDiscount } from "../accounts/volume-agreement.ts";
import { type Day, dayOf, lastDayOf } from "../dates.ts";
import type { orderOf } from "../payments/orders.server.ts";
import { type LinePlan, planLine } from "./fulfilment-plan.ts";
import * as paidTermQueries from "./paid-term-queries.server.ts";
import * as queries from "./queries.server.ts";
import { isAutoRenewalOn, isChargeable, nextAttempt } from "./renewal.ts";
import { type RenewalPricing, type RenewalRequest, renewalQuotes } from "./renewal-quotes.server.ts";
import type { SubscriptionRow } from "./subscription.ts";

export type LineOutlook = {
  lineId: number;
  /** The first day with access that the line pays for. */
  firstDay: Day;
  /** The last day with access that it pays for. */
  lastDay: Day;
  /** The days follow those that are paid for already. Otherwise they begin today. */
  isExtension: boolean;
  /** Null: it does not renew. */
  renewal: LineRenewal | null;
};

export type LineRenewal = {
  /** The day of the charge. */
  on: Day;
  /** With tax, at today's price, within the cap above what the order charges. Null when nothing is on sale on that day. */
  amountCents: number | null;
};

type Order = NonNullable<Awaited<ReturnType<typeof orderOf>>>;
type Line = Order["lines"][number];
type Plan = { line: Line; plan: LinePlan<SubscriptionRow> };

/**
 * What each line of an open order brings if it is paid today, in the order of its lines. The days come from the plan by
 * which orders are fulfilled, the prices from the rule of all renewals.
 */
export const orderOutlook = async (ctx: RenewalPricing, caller: Caller, order: Order): Promise<LineOutlook[]> => {
  const today = dayOf(ctx.clock.now());
  const plans = await plansOf(ctx, order, today);
  const renews = plans.map(({ plan }) =>
    plan.keepsAutoRenewal ? isAutoRenewalOn(plan.subscription) : order.autoRenew,
  );
  const renewals = renews.includes(true) ? await renewalsAfter(ctx, caller, order, plans, today) : [];
  return plans.map(({ line, plan }, index) => ({
    lineId: line.id,
    firstDay: plan.startDate,
    lastDay: lastDayOf(plan.endDate),
    isExtension: plan.act === "extend",
    renewal: (renews[index] && renewals[index]) || null,
  }));
};

const plansOf = async ({ db }: RenewalPricing, { id, accountId, kind, lines }: Order, today: Day): Promise<Plan[]> => {
  const [owned, running, charge] = await Promise.all([
    queries.findByIds(
      db,
      lines.flatMap(({ subscriptionId }) => subscriptionId ?? []),
    ),
    queries.runningToPeriods(
      db,
      accountId,
      lines.map(({ periodId }) => periodId),
      today,
    ),
    queries.chargeOfOrder(db, id),
  ]);
  return Promise.all(
    lines.map(async (line) => {
      const own = owned.find((each) => each.id === line.subscriptionId) ?? null;
      const facts = {
        ...line,
        kind,
        own,
        running: own && today < own.endDate ? own : (running.find((each) => each.periodId === line.periodId) ?? null),
        charge,
        bought: own && kind === "term_change" ? await paidTermQueries.boughtTerms(db, own.id) : [],
      };
      return { line, plan: planLine(today, facts) };
    }),
  );
};

const renewalsAfter = async (
  ctx: RenewalPricing,
  { account }: Caller,
  { accountId, lines, volumeAgreement }: Order,
  plans: Plan[],
  today: Day,
): Promise<(LineRenewal | null)[]> => {
  const routeIds = lines.map(({ routeId }) => routeId);
  const agreed: AgreedDiscount = volumeAgreement
    ? { customDiscountPercent: volumeAgreement.percent, customDiscountThrough: volumeAgreement.through }
    : account;
  const requests = plans.map(({ line, plan }): RenewalRequest => {
    const { routeId, term, listCents, discountCents, volumeDiscountPercent } = line;
    const periodId = plan.act === "extend" || plan.act === "replace" ? plan.subscription.periodId : line.periodId;
    return {
      subscription: { id: plan.subscription?.id ?? null, accountId, routeId, periodId },
      term,
      on: nextAttempt(today, plan.paid.endDate, null) ?? today,
      after: {
        paid: { totalCents: listCents - discountCents, volumeDiscountPercent, factors: null },
        routeIds,
        agreed,
      },
    };
  });
  const quotes = await renewalQuotes(ctx, requests);
  return requests.map(({ on }, index) => {
    const quote = quotes[index] ?? null;
    return { on, amountCents: isChargeable(quote) ? quote.withTax.amountCents : null };
  });
};
