/** Terms whose payment the bank has returned: see docs/decisions/0029. */
import { recordServiceAudit } from "../accounts/audit.server.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { addDays, type Day, dayOf } from "../dates.ts";
import { groupBy } from "../group-by.ts";
import { paidDays } from "./paid-days.ts";
import * as queries from "./paid-term-queries.server.ts";
import { lockSubscription, updateSubscription } from "./queries.server.ts";

/**
 * Ends the remaining days of every term whose payment was charged back in full. Days that other payments bought move up.
 * Safe to repeat: the webhook calls it, and the hourly job for whatever a crash has left.
 */
export const endChargedBackTerms = async (ctx: Pick<Context, "db" | "clock">): Promise<void> => {
  const byOrder = groupBy(await queries.chargedBackTerms(ctx.db), ({ orderId }) => orderId);
  for (const [orderId, terms] of byOrder) {
    const accountId = terms[0]?.accountId ?? 0;
    await ctx.db.transaction(async (tx) => {
      await lockAccount(tx, accountId);
      const now = ctx.clock.now();
      let ended = 0;
      for (const { termId, subscriptionId } of terms) {
        const subscription = await lockSubscription(tx, subscriptionId);
        if (!subscription || !(await queries.markEnded(tx, termId, subscriptionId, dayOf(now)))) continue;
        ended += 1;
        const endDate = endAfter(subscription, paidDays(await queries.boughtTerms(tx, subscriptionId)), dayOf(now));
        // Months that are bought later count from the new end.
        if (endDate < subscription.endDate) {
          await updateSubscription(tx, subscriptionId, { endDate, anchorDate: endDate, monthsPaid: 0 });
        }
      }
      if (ended > 0) await recordServiceAudit(tx, accountId, "order.charged_back", now, { order_id: orderId });
    });
  }
};

/** A subscription that ends today has no access from now on. One that began today lasts until tomorrow. */
const endAfter = (subscription: { startDate: Day }, days: { endDate: Day }[], today: Day): Day => {
  const last = days.at(-1)?.endDate ?? today;
  return [last, today, addDays(subscription.startDate, 1)].reduce((a, b) => (a > b ? a : b));
};
