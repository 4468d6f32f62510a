import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { forbidden } from "../errors.ts";
import { type OpenOrder, openOrder } from "../payments/orders.server.ts";
import type { QuoteLine } from "../pricing/quote.ts";
import { type OrderItem, priceOrder } from "./price.server.ts";

export type Checkout = OpenOrder & { lines: QuoteLine[] };

/**
 * Prices an order, locks that price and makes the payment intent that the browser or the caller then confirms.
 *
 * @throws what `priceOrder` and `openOrder` throw
 * @throws forbidden for a suspended account
 * @spec Endpoints (the purchase flow)
 */
export const checkout = async (
  ctx: Pick<Context, "db" | "clock" | "payments">,
  caller: Caller,
  input: { items: OrderItem[]; autoRenew: boolean },
): Promise<Checkout> => {
  if (caller.account.standing === "suspended") throw forbidden();
  const { lines } = await priceOrder(ctx, caller.account, input.items);
  const order = await openOrder(ctx, caller.account, {
    kind: "purchase",
    autoRenew: input.autoRenew,
    description: lines.length === 1 ? "Shipping route data, 1 route" : `Shipping route data, ${lines.length} routes`,
    lines: lines.map((line) => ({ ...line, subscriptionId: null, creditCents: 0 })),
  });
  return { ...order, lines };
};
