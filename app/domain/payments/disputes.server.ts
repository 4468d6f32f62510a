import { suspendAccount } from "../accounts/account-changes.server.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { cancelOpenOrdersOfSuspended } from "./orders.server.ts";
import * as queries from "./queries.server.ts";

/**
 * Suspends the account of a disputed payment: it has no access to data until an operator has reviewed it, and its open
 * orders are cancelled. The payment provider is asked whether the charge is really disputed.
 *
 * @spec Errors (403)
 */
export const suspendDisputer = async (
  ctx: Pick<Context, "db" | "clock" | "payments" | "log">,
  chargeId: string,
): Promise<void> => {
  const charge = await ctx.payments.getCharge(chargeId);
  const { paymentIntentId } = charge;
  if (!charge.disputed || paymentIntentId === null) return;
  const now = ctx.clock.now();
  const owner = await queries.findOrderOwner(ctx.db, paymentIntentId);
  if (!owner) return;
  const { accountId } = owner;
  await ctx.db.transaction(async (tx) => {
    const locked = await lockAccount(tx, accountId);
    if (!locked || !(await queries.markDisputed(tx, paymentIntentId, now))) return;
    await suspendAccount(locked, "dispute", { operator: null, now });
  });
  await cancelOpenOrdersOfSuspended(ctx, accountId);
};
