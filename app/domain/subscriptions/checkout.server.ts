import { type Caller, requireGoodStanding } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { type OpenOrder, openOrder } from "../payments/orders.server.ts";
import type { OrderItem } from "./order-items.ts";
import { priceOrder } from "./price.server.ts";

/**
 * Prices an order, locks the price and creates the payment intent, which the browser or the API client then confirms.
 *
 * @throws the errors of `priceOrder` and `openOrder`
 * @throws forbidden for a suspended account
 * @spec Endpoints (the purchase flow)
 */
export const checkout = async (
  ctx: Pick<Context, "db" | "clock" | "payments" | "rateLimiter" | "tax">,
  caller: Caller,
  input: { items: OrderItem[]; autoRenew: boolean },
): Promise<OpenOrder> => {
  requireGoodStanding(caller.account);
  const { lines } = await priceOrder(ctx, caller.account, input.items);
  return openOrder(ctx, caller.account, async () => ({
    kind: "purchase",
    autoRenew: input.autoRenew,
    description: lines.length === 1 ? "Shipping route data, 1 route" : `Shipping route data, ${lines.length} routes`,
    lines: lines.map((line) => ({ ...line, subscriptionId: null, creditCents: 0, creditedThroughTermId: null })),
  }));
};
