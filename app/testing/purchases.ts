/** Purchases in tests: order, payment with a test card, confirmation. */
import type { Caller } from "../domain/accounts/caller.ts";
import type { OpenOrder } from "../domain/payments/orders.server.ts";
import type { Term } from "../domain/pricing/discounts.ts";
import { checkout } from "../domain/subscriptions/checkout.server.ts";
import { confirmPayment } from "../domain/subscriptions/settle.server.ts";
import type { Subscription } from "../domain/subscriptions/subscription.ts";
import { payWith, type World } from "./world.ts";

export const testCards = {
  works: "4242424242424242",
  declined: "4000000000000002",
  declinedOffSession: "4000000000000341",
  authenticatesAlways: "4000002760003184",
} as const;

/** The first period on sale of one of the world's routes. */
export const periodOf = (world: World, code = world.routes[0]?.code): number => {
  const period = world.routes.find((route) => route.code === code)?.periods[0];
  if (!period) throw new Error(`${code} has no period on sale`);
  return period.id;
};

export const pay = async (world: World, caller: Caller, order: OpenOrder, card?: string): Promise<Subscription> => {
  await payWith(world, order.intent, card);
  const [paid] = await confirmPayment(world.ctx, caller, { paymentIntentId: order.intent.id });
  if (!paid) throw new Error("The payment made no subscription");
  return paid;
};

export const subscribe = async (
  world: World,
  caller: Caller,
  options: { term?: Term; periodId?: number; autoRenew?: boolean; card?: string } = {},
): Promise<Subscription> => {
  const items = [{ periodId: options.periodId ?? periodOf(world), term: options.term ?? "1_month" }];
  const order = await checkout(world.ctx, caller, { items, autoRenew: options.autoRenew ?? true });
  return pay(world, caller, order, options.card);
};
