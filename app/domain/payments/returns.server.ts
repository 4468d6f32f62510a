/** Full refunds of payments that could not be fulfilled: they came too late, or the account was suspended. */
import type { Context } from "../context.ts";
import { Refusal } from "../errors.ts";
import * as queries from "./queries.server.ts";
import { recordRefunds } from "./refunds.server.ts";

type World = Pick<Context, "db" | "clock" | "payments" | "settings" | "log">;

/**
 * Refunds the order's payment if a refund is due. Safe to repeat and to run concurrently: the same state gives the same
 * idempotency key, and the provider never refunds more than was paid. Failures are logged and left to the hourly job.
 *
 * @returns whether the refund was made and recorded
 */
export const returnPayment = async (ctx: World, orderId: number): Promise<boolean> => {
  const [dueReturn] = await queries.findDueReturns(ctx.db, orderId);
  return dueReturn ? refundInFull(ctx, dueReturn) : false;
};

/** Refunds every payment that is due to be returned. A failure does not stop the rest. @returns how many were refunded */
export const refundOwedPayments = async (ctx: World): Promise<number> => {
  let returned = 0;
  for (const dueReturn of await queries.findDueReturns(ctx.db)) if (await refundInFull(ctx, dueReturn)) returned += 1;
  return returned;
};

type DueReturn = Awaited<ReturnType<typeof queries.findDueReturns>>[number];

const refundInFull = async (
  ctx: World,
  { orderId, chargeId, amountCents, refundedCents }: DueReturn,
): Promise<boolean> => {
  try {
    if (chargeId === null) throw new Error("The payment names no charge");
    const key = `return-order-${orderId}-${refundedCents}`;
    await ctx.payments.refund({ chargeId, amountCents: amountCents - refundedCents }, key).catch((error) => {
      // The refund may have been made already and only the credit note be missing. The provider's list shows that.
      if (!(error instanceof Refusal) || error.code !== "conflict") throw error;
    });
    await recordRefunds(ctx, chargeId);
    const [stillDue] = await queries.findDueReturns(ctx.db, orderId);
    if (stillDue) throw new Error("The payment provider does not refund it");
    return true;
  } catch (error) {
    if (error instanceof Refusal) {
      ctx.log.warn("A payment could not be returned yet", { order_id: orderId, code: error.code });
    } else {
      ctx.log.error("A payment could not be returned", { order_id: orderId }, error);
    }
    return false;
  }
};
