/**
 * Limits declined cards, so that nobody tests stolen card numbers here. Browsers send cards to the payment provider, so an
 * account's declines are counted as the provider reports them. At the limit, what was open is cancelled there, and nothing
 * new is opened until the next full hour. Automatic renewal charges do not count.
 */
import type { Context } from "../context.ts";
import * as cardQueries from "./card-queries.server.ts";
import { countDecline } from "./decline-limit.server.ts";
import { cancelOrder } from "./orders.server.ts";
import * as queries from "./queries.server.ts";

type World = Pick<Context, "clock" | "db" | "payments" | "rateLimiter">;

/** Counts a declined payment, and cancels its order at the limit. */
export const countDeclinedPayment = async (ctx: World, paymentIntentId: string): Promise<void> => {
  const order = await queries.findDeclinedOrder(ctx.db, paymentIntentId);
  if (order && (await countDecline(ctx, { id: order.accountId }))) await cancelOrder(ctx, order);
};

/** Counts a card that was declined when it was to be saved, and cancels its setup at the limit. */
export const countDeclinedSetup = async (ctx: World, setupId: string): Promise<void> => {
  const { customerId } = await ctx.payments.getCardSetup(setupId);
  const accountId = customerId === null ? null : await cardQueries.findAccountOfCustomer(ctx.db, customerId);
  if (accountId !== null && (await countDecline(ctx, { id: accountId }))) await ctx.payments.cancelCardSetup(setupId);
};
