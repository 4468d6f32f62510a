/**
 * The basket: kept in a cookie, and priced again on every view. It belongs to the browser, so what a visitor puts in is
 * still there after signing in or registering.
 */
import { z } from "zod";
import { maxOrderItems } from "../domain/payments/order.ts";
import { term } from "../domain/pricing/discounts.ts";
import type { OrderItem } from "../domain/subscriptions/order-items.ts";
import { portalCookie } from "./cookie.server.ts";
import { idField } from "./params.ts";

export type Basket = {
  /** Each period once. */
  items: OrderItem[];
  /** Whether what is bought renews, as chosen last. */
  autoRenew: boolean;
};

const items = z
  .array(z.tuple([idField, term]))
  .max(maxOrderItems)
  .transform((pairs) => pairs.map(([periodId, term]) => ({ periodId, term })).reduce(withItem, []));

/** Baskets from before auto-renewal was kept are a list only. */
const contents = z.union([
  z.object({ items, autoRenew: z.boolean() }),
  items.transform((items) => ({ items, autoRenew: true })),
]);

const basketCookie = () => portalCookie("srds_basket", { maxAge: 30 * 86_400 });

/** Empty without a cookie, or with one that cannot be read. */
export const readBasket = async (request: Request): Promise<Basket> => {
  const parsed = contents.safeParse(await (await basketCookie()).parse(request.headers.get("Cookie")));
  return parsed.data ?? { items: [], autoRenew: true };
};

/** The `Set-Cookie` header that replaces the basket. */
export const saveBasket = async ({ items, autoRenew }: Basket): Promise<{ "Set-Cookie": string }> => {
  const cookie = await basketCookie();
  const value = { items: items.map(({ periodId, term }) => [periodId, term]), autoRenew };
  return { "Set-Cookie": await cookie.serialize(value, items.length === 0 ? { maxAge: 0 } : {}) };
};

/** The `Set-Cookie` header that removes what was paid for, and keeps the rest. */
export const basketAfter = async (
  request: Request,
  order: { kind: string; lines: readonly { periodId: number }[] },
): Promise<{ "Set-Cookie"?: string }> => {
  const paid = new Set(order.kind === "purchase" ? order.lines.map(({ periodId }) => periodId) : []);
  const basket = await readBasket(request);
  const left = basket.items.filter(({ periodId }) => !paid.has(periodId));
  return left.length === basket.items.length ? {} : saveBasket({ ...basket, items: left });
};

/** Each period once, with the term chosen last. */
export function withItem(items: OrderItem[], item: OrderItem): OrderItem[] {
  return [...items.filter(({ periodId }) => periodId !== item.periodId), item].slice(-maxOrderItems);
}
