/** Orders that were left unpaid, or paid too late. docs/decisions/0016 */
import type { Context } from "../context.ts";
import { Refusal } from "../errors.ts";
import { cancelOrder, expiredOrders, type PendingOrder } from "../payments/orders.server.ts";
import { refundOwedPayments } from "../payments/returns.server.ts";
import { settleIntent } from "./settle.server.ts";

type World = Pick<Context, "db" | "clock" | "payments" | "settings" | "log">;

const batchSize = 200;
/** Then the payment provider is away, and the next run goes on. */
const mostAwayInARow = 5;

/**
 * Withdraws every order whose price is no longer locked or whose account is suspended, settles those that turn out to be
 * paid, and refunds what is still to be returned. One that fails keeps no other from its turn: the newest come first, so
 * that one which fails for ever is not in their way.
 *
 * @param signal when it is aborted, this ends before the next order
 */
export const closeExpiredOrders = async (
  ctx: World,
  signal?: AbortSignal,
): Promise<{ withdrawn: number; settled: number; returned: number }> => {
  const count = { withdrawn: 0, settled: 0 };
  let leftOver = 0;
  let awayInARow = 0;
  let batch: PendingOrder[] = [];
  do {
    batch = await expiredOrders(ctx, { beforeId: batch.at(-1)?.id ?? null, limit: batchSize });
    for (const order of batch) {
      if (awayInARow === mostAwayInARow || signal?.aborted) break;
      try {
        const outcome = await closeOne(ctx, order);
        if (outcome) count[outcome] += 1;
        awayInARow = 0;
      } catch (error) {
        if (isAway(error)) leftOver += 1;
        else ctx.log.error("A lapsed order was not closed", { order_id: order.id }, error);
        awayInARow = isAway(error) ? awayInARow + 1 : 0;
      }
    }
  } while (batch.length === batchSize && awayInARow < mostAwayInARow && !signal?.aborted);
  if (leftOver > 0) ctx.log.warn("Lapsed orders were left for later: the payment provider is away", { leftOver });
  return { ...count, returned: await refundOwedPayments(ctx) };
};

/** @returns null while the payment is under way */
const closeOne = async (ctx: World, order: PendingOrder): Promise<"withdrawn" | "settled" | null> => {
  if (await cancelOrder(ctx, order)) return "withdrawn";
  return order.paymentIntentId !== null && (await settleIntent(ctx, order.paymentIntentId)) ? "settled" : null;
};

const isAway = (error: unknown): boolean => error instanceof Refusal && error.code === "unavailable";
