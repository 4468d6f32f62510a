import { z } from "zod";
import { maxOpenOrders, maxOrderItems, priceLockInWords } from "../../domain/payments/order.ts";
import { term, terms } from "../../domain/pricing/discounts.ts";
import { volumeDiscountsInWords } from "../../domain/pricing/volume-discount.ts";
import { expirationOutlookDays } from "../../domain/subscriptions/policy.ts";
import { subscriptionStatuses } from "../../domain/subscriptions/status.ts";
import { firstReminderInWords } from "../../domain/subscriptions/wording.ts";
import { endpoint } from "../endpoint.ts";
import { cents, currencyCode, day, id, nextCursor, numberText } from "./shapes.ts";

export const subscription = z
  .object({
    id,
    route_name: z.string(),
    subscription_term: z.enum(terms),
    start_date: day,
    end_date: day.meta({ description: "The first day without access." }),
    status: z.enum(subscriptionStatuses),
    auto_renew: z.boolean(),
    route_id: id,
    period_id: id,
    renewal_term: z.enum(terms),
    next_charge: z
      .object({ date: day, amount_cents: cents })
      .nullable()
      .meta({
        description: `The next attempt to charge the renewal; after a declined one, the following day. Null when nothing will be charged. The reminder ${firstReminderInWords} end_date fixes the amount.`,
      }),
  })
  .meta({ id: "Subscription" });

const item = z.strictObject({ period_id: id, subscription_term: term });
const items = z
  .array(item)
  .min(1, "Choose at least one route")
  .max(maxOrderItems, `At most ${maxOrderItems} routes in one order`);

export const quoteLine = z
  .object({
    period_id: id,
    route_id: id,
    subscription_term: z.enum(terms),
    months: z.int(),
    monthly_cents: cents,
    list_cents: cents,
    term_discount_percent: z.int(),
    volume_discount_percent: z.int(),
    volume_discount_reason: z
      .object({
        kind: z.enum(["tier", "agreed"]),
        from_routes: z.int().nullable(),
        to_routes: z.int().nullable().meta({ description: "Inclusive; null: without an upper end." }),
      })
      .nullable()
      .meta({
        description:
          "Why the volume discount was given, as it was when the line was priced: a tier of the table with its range, or an agreement with sales. Null without a volume discount.",
      }),
    discount_cents: cents,
    total_cents: cents,
  })
  .meta({ id: "QuoteLine" });

const quote = z
  .object({
    currency: currencyCode,
    lines: z.array(quoteLine),
    list_cents: cents,
    discount_cents: cents,
    total_cents: cents,
  })
  .meta({ id: "Quote" });

const prices = { status: 200 as const, description: "What it costs now.", schema: quote };

export const calculateSingleRoutePrice = endpoint({
  id: "calculateSingleRoutePrice",
  tag: "Subscriptions",
  method: "POST",
  path: "/subscriptions/calculate-single-route-price",
  access: "bearer",
  summary: "Price of one route",
  body: item,
  answer: prices,
  refusals: ["not_found", "conflict"],
});

export const calculateSubscriptionPrice = endpoint({
  id: "calculateSubscriptionPrice",
  tag: "Subscriptions",
  method: "POST",
  path: "/subscriptions/calculate-subscription-price",
  access: "bearer",
  summary: "Price of several routes",
  description: `The volume discount counts the order's routes together with those the account has running. ${volumeDiscountsInWords}`,
  body: z.strictObject({ items }),
  answer: prices,
  refusals: ["not_found", "conflict"],
});

export const createPaymentIntent = endpoint({
  id: "createPaymentIntent",
  tag: "Subscriptions",
  method: "POST",
  path: "/subscriptions/create-payment-intent",
  access: "bearer",
  summary: "Lock a price and begin the payment",
  description: `The price is locked for ${priceLockInWords}. Confirm the payment with client_secret, then call payment-success. A payment that is made later is refunded in full. An account has at most ${maxOpenOrders} unpaid orders; opening another one cancels the payment intent of the oldest.`,
  body: z
    .strictObject({
      items: items.optional(),
      period_id: id.optional(),
      subscription_term: term.optional(),
      auto_renew: z.boolean().default(true),
    })
    .meta({ override: { oneOf: [{ required: ["items"] }, { required: ["period_id", "subscription_term"] }] } })
    .transform(({ items, period_id, subscription_term, auto_renew }, ctx) => {
      if (items && period_id === undefined && subscription_term === undefined) return { items, auto_renew };
      if (!items && period_id !== undefined && subscription_term !== undefined) {
        return { items: [{ period_id, subscription_term }], auto_renew };
      }
      ctx.addIssue({
        code: "custom",
        path: ["items"],
        message: "Give either items, or period_id and subscription_term",
      });
      return z.NEVER;
    }),
  answer: {
    status: 200,
    description: "The order and its payment intent.",
    schema: z
      .object({
        payment_intent_id: z.string(),
        client_secret: z.string(),
        order_id: id,
        amount_cents: cents,
        currency: currencyCode,
        lines: z.array(quoteLine),
      })
      .meta({ id: "Checkout" }),
  },
  refusals: ["not_found", "conflict", "forbidden"],
  idempotent: true,
});

export const paymentSuccess = endpoint({
  id: "paymentSuccess",
  tag: "Subscriptions",
  method: "POST",
  path: "/subscriptions/payment-success",
  access: "bearer",
  summary: "Turn a payment into subscriptions",
  description:
    "May be repeated: the order is fulfilled once, and the answer stays the same. 409 names the status of a payment intent that has not succeeded. It also says when the payment is refunded in full instead: it was made after the price lock had ended, or the account is suspended.",
  body: z.strictObject({ payment_intent_id: z.string().min(1).max(255) }),
  answer: {
    status: 200,
    description: "What the order has made or extended.",
    schema: z.object({ subscriptions: z.array(subscription) }),
  },
  refusals: ["not_found", "conflict"],
  idempotent: true,
});

export const myRoutes = endpoint({
  id: "listMySubscriptions",
  tag: "Subscriptions",
  method: "GET",
  path: "/subscriptions/my-routes",
  access: "bearer",
  summary: "List the account's subscriptions",
  answer: {
    status: 200,
    description: "All of them, whatever their status, newest first.",
    schema: z.object({ subscriptions: z.array(subscription), next_cursor: nextCursor }),
  },
});

export const upcomingExpirations = endpoint({
  id: "listUpcomingExpirations",
  tag: "Subscriptions",
  method: "GET",
  path: "/subscriptions/upcoming-expirations",
  access: "bearer",
  summary: "List the subscriptions that end soon",
  query: z.object({
    days: numberText(1, expirationOutlookDays.max)
      .default(expirationOutlookDays.default)
      .meta({
        description: "Those that end within so many days.",
        override: { default: expirationOutlookDays.default },
      }),
  }),
  answer: {
    status: 200,
    description: "Soonest first; those that renew by themselves too.",
    schema: z.object({
      subscriptions: z.array(
        subscription
          .extend({
            days_left: z.int().min(1).meta({ description: "Until end_date, today (UTC) included.", example: 6 }),
          })
          .meta({ id: "ExpiringSubscription" }),
      ),
      next_cursor: nextCursor,
    }),
  },
});
