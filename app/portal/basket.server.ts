/** The basket: kept in a cookie, and priced again on every view. */
import { z } from "zod";
import { maxOrderItems } from "../domain/payments/order.ts";
import { term } from "../domain/pricing/discounts.ts";
import type { OrderItem } from "../domain/subscriptions/price.server.ts";
import { portalCookie } from "./cookie.server.ts";
import { idField } from "./params.ts";

const contents = z.array(z.tuple([idField, term])).max(maxOrderItems);

const basketCookie = () => portalCookie("srds_basket", { maxAge: 30 * 86_400 });

export const readBasket = async (request: Request): Promise<OrderItem[]> => {
  const parsed = contents.safeParse(await (await basketCookie()).parse(request.headers.get("Cookie")));
  return parsed.success ? parsed.data.map(([periodId, term]) => ({ periodId, term })) : [];
};

/** The `Set-Cookie` header that replaces the basket. */
export const saveBasket = async (items: OrderItem[]): Promise<{ "Set-Cookie": string }> => {
  const cookie = await basketCookie();
  const value = items.map(({ periodId, term }) => [periodId, term]);
  return { "Set-Cookie": await cookie.serialize(value, items.length === 0 ? { maxAge: 0 } : {}) };
};

/** The `Set-Cookie` header that removes what was paid for, and keeps the rest. */
export const basketAfter = async (
  request: Request,
  order: { kind: string; lines: readonly { periodId: number }[] },
): Promise<{ "Set-Cookie"?: string }> => {
  const paid = new Set(order.kind === "purchase" ? order.lines.map(({ periodId }) => periodId) : []);
  const items = await readBasket(request);
  const left = items.filter(({ periodId }) => !paid.has(periodId));
  return left.length === items.length ? {} : saveBasket(left);
};

/** Each period once, with the term chosen last. */
export const withItem = (items: OrderItem[], item: OrderItem): OrderItem[] =>
  [...items.filter(({ periodId }) => periodId !== item.periodId), item].slice(-maxOrderItems);
