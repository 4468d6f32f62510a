/** What somebody wants to order, and how a link carries it. */
import { z } from "zod";
import { largestId } from "../input.ts";
import { maxOrderItems } from "../payments/order.ts";
import { type Term, terms } from "../pricing/discounts.ts";

export type OrderItem = { periodId: number; term: Term };

/** The page of the portal that requests a quote for these items: `/billing/quotes/new?items=12.3_months-15.1_month`. */
export const quoteRequestPath = (items: readonly OrderItem[]): string =>
  `/billing/quotes/new?items=${linkOfItems(items)}`;

export const linkOfItems = (items: readonly OrderItem[]): string =>
  items.map(({ periodId, term }) => `${periodId}.${term}`).join("-");

const item = z
  .string()
  .regex(/^\d{1,10}\.\w{1,20}$/)
  .transform((text) => {
    const [periodId, term] = text.split(".");
    return { periodId: Number(periodId), term };
  })
  .pipe(z.object({ periodId: z.int().min(1).max(largestId), term: z.enum(terms) }));

/** The items of such a link, each period once. */
export const linkedItems = z
  .string()
  .max(maxOrderItems * 40)
  .transform((text) => text.split("-"))
  .pipe(z.array(item).min(1).max(maxOrderItems))
  .refine((items) => new Set(items.map(({ periodId }) => periodId)).size === items.length);

/** Null: the link carries none that can be read. */
export const itemsOfLink = (text: string | null): OrderItem[] | null => linkedItems.safeParse(text).data ?? null;
