/** Opens the payment of a plan. */
import { type Caller, requireGoodStanding } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { conflict } from "../errors.ts";
import { cancelOrder, isPayable, openOrder, openPlanOrders } from "../payments/orders.server.ts";
import { settleIntent } from "../subscriptions/settle.server.ts";
import { capitalised } from "../wording.ts";
import { planTotalCents, whyNotForSale } from "./paid-plan.ts";
import { heldPlan } from "./paid-plans.server.ts";
import type { PlanTerm, SoldPlan } from "./policy.ts";
import { planPrices } from "./prices.server.ts";

/**
 * Opens an order for a term of a plan, to be paid like any other. A form that is sent twice leads to the same order: at most
 * one order of a plan is open, so that none is paid for by mistake.
 *
 * @returns the order to pay, or the one that turns out to be paid already
 * @throws forbidden for a suspended account
 * @throws conflict when the plan has no price, for an account that cannot buy it now (`whyNotForSale`), and while a plan is
 *   being paid
 * @throws the errors of `openOrder`
 */
export const buyPlan = async (
  ctx: Pick<Context, "db" | "clock" | "payments" | "rateLimiter" | "settings" | "tax" | "log">,
  caller: Caller,
  { plan, term }: { plan: SoldPlan; term: PlanTerm },
): Promise<{ orderId: number }> => {
  const { account } = caller;
  requireGoodStanding(account);
  const now = ctx.clock.now();
  const refusal = whyNotForSale(await heldPlan(ctx, caller), plan, dayOf(now));
  if (refusal) throw conflict(refusal);
  const { [plan]: monthlyCents } = await planPrices(ctx);
  if (monthlyCents === undefined) throw conflict(`The price of the ${capitalised(plan)} plan is on request`);
  const wanted = { plan, term, monthlyCents };
  let open: number | null = null;
  for (const order of await openPlanOrders(ctx, account.id)) {
    const isWanted =
      order.plan === plan && order.term === term && order.monthlyCents === monthlyCents && order.expiresAt > now;
    if (open === null && isWanted && (await isPayable(ctx, order))) open = order.id;
    else if (!(await cancelOrder(ctx, order))) {
      if (order.paymentIntentId !== null && (await settleIntent(ctx, order.paymentIntentId)))
        return { orderId: order.id };
      throw conflict("The payment of your plan is being processed. Check again in a minute");
    }
  }
  if (open !== null) return { orderId: open };
  const { orderId } = await openOrder(ctx, account, async (tx) => {
    if ((await openPlanOrders({ db: tx }, account.id)).length > 0)
      throw conflict("Another request is opening this order. Try again in a minute");
    return {
      kind: "plan",
      autoRenew: false,
      description: `${capitalised(plan)} plan`,
      lines: [],
      planLine: { ...wanted, totalCents: planTotalCents(monthlyCents, term) },
    };
  });
  return { orderId };
};
