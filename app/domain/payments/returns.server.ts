/** Payments that bought nothing and go back in full: what came too late, and what a suspended account paid. */
import type { Context } from "../context.ts";
import { Refusal } from "../errors.ts";
import * as queries from "./queries.server.ts";
import { recordRefunds } from "./refunds.server.ts";

type World = Pick<Context, "db" | "clock" | "payments" | "settings" | "log">;

/**
 * Refunds the order's payment if it is to be returned and has not been. May be repeated, and run at several places at
 * once: the same books make the same idempotency key, and the provider never gives back more than was paid. Whatever
 * fails is logged and left for the hourly job.
 *
 * @returns whether a refund was made and is on record
 */
export const returnPayment = async (ctx: World, orderId: number): Promise<boolean> => {
  const [owed] = await queries.owedReturns(ctx.db, orderId);
  return owed ? refundInFull(ctx, owed) : false;
};

/** Every payment that is still to be returned; one that fails keeps no other from its turn. @returns how many were */
export const refundOwedPayments = async (ctx: World): Promise<number> => {
  let returned = 0;
  for (const owed of await queries.owedReturns(ctx.db)) if (await refundInFull(ctx, owed)) returned += 1;
  return returned;
};

type Owed = Awaited<ReturnType<typeof queries.owedReturns>>[number];

const refundInFull = async (ctx: World, { orderId, chargeId, amountCents, refundedCents }: Owed): Promise<boolean> => {
  try {
    if (chargeId === null) throw new Error("The payment names no charge");
    const key = `return-order-${orderId}-${refundedCents}`;
    await ctx.payments.refund({ chargeId, amountCents: amountCents - refundedCents }, key).catch((error) => {
      // It may have been given back already, and only the credit note be missing: the provider's list says so.
      if (!(error instanceof Refusal) || error.code !== "conflict") throw error;
    });
    await recordRefunds(ctx, chargeId);
    const [stillOwed] = await queries.owedReturns(ctx.db, orderId);
    if (stillOwed) throw new Error("The payment provider does not refund it");
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
