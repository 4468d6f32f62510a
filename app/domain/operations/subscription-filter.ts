/** Filters for an operator's list of subscriptions. */
import { z } from "zod";
import { subscriptionStatuses } from "../subscriptions/status.ts";

const number = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, "A number")
  .transform(Number);

export const subscriptionOrders = ["newest", "ends"] as const;

export const subscriptionFilter = z.object({
  status: z.enum(subscriptionStatuses).optional(),
  account: number.optional(),
  /** Part of the route's code or name. */
  route: z.string().max(100).optional(),
  order: z.enum(subscriptionOrders).optional(),
});

export type SubscriptionFilter = z.output<typeof subscriptionFilter>;
