/** Plans whose payment the bank has returned: see docs/decisions/0029 and 0046. */
import { recordServiceAudit } from "../accounts/audit.server.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { planEnded } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { paidDays } from "../subscriptions/paid-days.ts";
import { fallBackToFree, movePlanEnd } from "./paid-plans.server.ts";
import * as queries from "./queries.server.ts";

/**
 * Ends the remaining days of every plan whose payment was charged back in full. Days that other payments bought move up;
 * without any, the account goes back to the Free plan. Safe to repeat: the webhook calls it, and the hourly job for whatever
 * a crash has left.
 */
export const endChargedBackPlans = async (ctx: Pick<Context, "db" | "clock" | "settings">): Promise<void> => {
  for (const term of await queries.chargedBackTerms(ctx.db)) {
    await ctx.db.transaction(async (tx) => {
      const locked = await lockAccount(tx, term.accountId);
      const now = ctx.clock.now();
      const today = dayOf(now);
      if (!locked || !(await queries.markTermEnded(tx, term, today))) return;
      await recordServiceAudit(tx, term.accountId, "order.charged_back", now, { order_id: term.orderId });
      const paid = await queries.findPaidPlan(tx, term.accountId);
      const endDate = paidDays(await queries.boughtTerms(tx, term.accountId)).at(-1)?.endDate ?? today;
      if (!paid || paid.endDate <= endDate) return;
      if (endDate > today) return movePlanEnd(tx, term.accountId, paid, endDate);
      await fallBackToFree(locked, `The bank returned the payment of order ${term.orderId}`, now);
      const mail = planEnded(ctx.settings.appUrl, { plan: paid.plan, endDate: today });
      await enqueue(tx, { ...mail, accountId: term.accountId, dedupeKey: `plan-ended:order-${term.orderId}` }, now);
    });
  }
};
