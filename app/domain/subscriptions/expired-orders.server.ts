/** Orders that expired unpaid, were paid too late (docs/decisions/0016), or were charged back (0029). */
import type { Context } from "../context.ts";
import { Refusal } from "../errors.ts";
import { endChargedBackPlans } from "../paid-plans/charged-back-plans.server.ts";
import { cancelOrder, expiredOrders, type PendingOrder } from "../payments/orders.server.ts";
import { refundOwedPayments } from "../payments/returns.server.ts";
import { endChargedBackTerms } from "./charged-back-terms.server.ts";
import { settleIntent } from "./settle.server.ts";

type World = Pick<Context, "db" | "clock" | "payments" | "settings" | "log">;

const batchSize = 200;
/** After so many consecutive failures the payment provider counts as unavailable; the next run continues. */
const maxConsecutiveOutages = 5;

/**
 * Withdraws every order whose price lock has ended or whose account is suspended, settles those that turn out to be paid,
 * makes the refunds that are outstanding, and ends the terms and plans whose payment was charged back. A failure does not stop the rest: the newest orders come first, so that one
 * that always fails blocks no other.
 *
 * @param signal when aborted, the run ends before the next order
 */
export const closeExpiredOrders = async (
  ctx: World,
  signal?: AbortSignal,
): Promise<{ cancelled: number; settled: number; returned: number }> => {
  const count = { cancelled: 0, settled: 0 };
  let leftOver = 0;
  let consecutiveOutages = 0;
  let batch: PendingOrder[] = [];
  do {
    batch = await expiredOrders(ctx, { beforeId: batch.at(-1)?.id ?? null, limit: batchSize });
    for (const order of batch) {
      if (consecutiveOutages === maxConsecutiveOutages || signal?.aborted) break;
      try {
        const outcome = await closeOne(ctx, order);
        if (outcome) count[outcome] += 1;
        consecutiveOutages = 0;
      } catch (error) {
        if (isOutage(error)) leftOver += 1;
        else ctx.log.error("A lapsed order was not closed", { order_id: order.id }, error);
        consecutiveOutages = isOutage(error) ? consecutiveOutages + 1 : 0;
      }
    }
  } while (batch.length === batchSize && consecutiveOutages < maxConsecutiveOutages && !signal?.aborted);
  if (leftOver > 0)
    ctx.log.warn("Lapsed orders were left for later: the payment provider is unavailable", { leftOver });
  await endChargedBackTerms(ctx);
  await endChargedBackPlans(ctx);
  return { ...count, returned: await refundOwedPayments(ctx) };
};

/** @returns null while the payment is in progress */
const closeOne = async (ctx: World, order: PendingOrder): Promise<"cancelled" | "settled" | null> => {
  if (await cancelOrder(ctx, order)) return "cancelled";
  return order.paymentIntentId !== null && (await settleIntent(ctx, order.paymentIntentId)) ? "settled" : null;
};

const isOutage = (error: unknown): boolean => error instanceof Refusal && error.code === "unavailable";
