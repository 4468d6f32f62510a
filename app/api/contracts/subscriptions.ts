import { z } from "zod";
import { maxOpenOrders, maxOrderItems, priceLockInWords } from "../../domain/payments/order.ts";
import { term, terms } from "../../domain/pricing/discounts.ts";
import { renewalPriceReasons } from "../../domain/pricing/renewal-price-change.ts";
import { volumeDiscountsInWords } from "../../domain/pricing/volume-discount.ts";
import { expirationOutlookDays } from "../../domain/subscriptions/policy.ts";
import { renewalStates } from "../../domain/subscriptions/renewal.ts";
import { subscriptionStatuses } from "../../domain/subscriptions/status.ts";
import { firstReminderInWords } from "../../domain/subscriptions/wording.ts";
import { endpoint } from "../endpoint.ts";
import { cents, currencyCode, day, id, instant, named, nextCursor, numberText, wholeOrPageQuery } from "./shapes.ts";

const renewal = z
  .object({
    state: z.enum(renewalStates).meta({
      description:
        "scheduled: we will charge it. past_due: the last charge failed and has not been paid yet. action_required: the last charge failed because the bank asks you to approve the payment. off: we will not charge it, because auto-renewal is off, the account is suspended or has no card for renewals, or the route is not on sale.",
    }),
    next_attempt_on: day.nullable().meta({
      description: "The date of the next attempt. Null if there is none, or the account has no card for renewals.",
    }),
    amount_cents: cents
      .nullable()
      .meta({ description: "The price of the renewal, including tax. Null if state is off." }),
    price_change: z
      .object({
        previous_amount_cents: cents.meta({
          description: "The amount last paid for the same route and term, with today's tax.",
        }),
        reasons: z.array(z.enum(renewalPriceReasons)).meta({ description: "What has changed since that payment." }),
        capped: z.boolean().meta({
          description: "Whether the limit on price increases applies. Today's price is then higher than amount_cents.",
        }),
      })
      .nullable()
      .meta({
        description:
          "How amount_cents compares with the last payment. Null if state is off or the account has not paid for this term before.",
      }),
    last_failure: z
      .object({
        code: z.string().meta({
          description:
            "Stripe's decline code, or one of ours: no_card, card_gone (Stripe no longer has the card), not_charged (the charge did not reach Stripe).",
        }),
        message: z.string().meta({ description: "What happened and what to do." }),
        at: instant,
      })
      .nullable()
      .meta({ description: "Why the latest charge for the current end_date failed. Null if none has failed." }),
  })
  .meta({
    id: "RenewalState",
    description:
      "The renewal at end_date. If it is past due, call renew to pay it; otherwise the subscription ends at end_date.",
  });

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
        description: `The next attempt to charge the renewal. After a declined charge we retry the next day. Null if we will not charge anything. The reminder ${firstReminderInWords} end_date fixes the amount.`,
      }),
    renewal,
  })
  .meta({ id: "Subscription" });

const item = z.strictObject({ period_id: id, subscription_term: term });
const items = z
  .array(item)
  .min(1, "Choose at least one route")
  .max(maxOrderItems, `At most ${maxOrderItems} routes in one order`);

const quoteLine = z
  .object({
    period_id: id,
    route_id: id,
    route: named,
    subscription_term: z.enum(terms),
    months: z.int(),
    monthly_cents: cents,
    list_cents: cents,
    term_discount_percent: z.int(),
    volume_discount_percent: z.int(),
    volume_discount_reason: z
      .object({
        kind: z.enum(["tier", "agreed", "quote"]),
        from_routes: z.int().nullable(),
        to_routes: z.int().nullable().meta({ description: "Inclusive. Null: no upper limit." }),
        quote_id: id.nullable().meta({ description: "The accepted quote. Null for other kinds." }),
      })
      .nullable()
      .meta({
        description:
          "Why the line has a volume discount: tier (of the discount table, with its range), agreed (with sales) or quote (an accepted one). Null without a volume discount.",
      }),
    discount_cents: cents,
    total_cents: cents.meta({ description: "Before tax: list_cents less discount_cents." }),
    tax_cents: cents.meta({ description: "Added to total_cents.", example: 0 }),
  })
  .meta({ id: "QuoteLine" });

/** A line of an order: list − discount − credit = total, plus tax. */
export const orderLine = quoteLine
  .extend({
    total_cents: cents.meta({ description: "Before tax: list_cents less discount_cents and credit_cents." }),
    credit_cents: cents.meta({ description: "For a change of term: the credit for unused days.", example: 0 }),
  })
  .meta({ id: "OrderLine" });

/** An open order, and what the client needs to confirm its payment. */
export const payment = {
  payment_intent_id: z.string(),
  client_secret: z.string(),
  publishable_key: z
    .string()
    .meta({ description: "The publishable key of our Stripe account.", example: "pk_test_simulated" }),
  provider_api_version: z.string().meta({
    description: "The version of Stripe's API that created the payment intent.",
    example: "2026-10-28.endive",
  }),
  confirm_url: z.url().meta({
    description: "Where clients without Stripe's SDK confirm the payment: Stripe's API, or its simulator in test mode.",
    example: "https://api.stripe.com/v1/payment_intents/pi_3QxR7kLkdIwHu7ix1fVbT2aM/confirm",
  }),
  order_id: id,
  amount_cents: cents.meta({ description: "The amount to be charged: total_cents and tax_cents of all lines." }),
  tax_cents: cents.meta({ description: "The tax in amount_cents.", example: 0 }),
  currency: currencyCode,
  lines: z.array(orderLine),
};

const quote = z
  .object({
    currency: currencyCode,
    lines: z.array(quoteLine),
    list_cents: cents,
    discount_cents: cents,
    total_cents: cents.meta({ description: "Before tax: the sum of the lines." }),
    tax_cents: cents.meta({
      description: "The tax, calculated from the account's billing details.",
      example: 0,
    }),
    amount_cents: cents.meta({ description: "The amount that would be charged: total_cents and tax_cents." }),
  })
  .meta({ id: "Quote" });

const prices = { status: 200 as const, description: "The current price.", schema: quote };

export const calculateSingleRoutePrice = endpoint({
  id: "calculateSingleRoutePrice",
  tag: "Subscriptions",
  method: "POST",
  path: "/subscriptions/calculate-single-route-price",
  access: "bearer",
  summary: "Calculate the price of one route",
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
  summary: "Calculate the price of several routes",
  description: `The volume discount counts the routes of the order and those of active subscriptions. ${volumeDiscountsInWords}`,
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
  summary: "Create an order and its payment intent",
  description: `The price is locked for ${priceLockInWords}. Confirm the payment with Stripe's SDK, publishable_key and client_secret, or with a POST to confirm_url; then call payment-success. We refund later payments in full. An account can have at most ${maxOpenOrders} unpaid orders; opening another one cancels the payment intent of the oldest.`,
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
        message: "Send either items, or period_id and subscription_term",
      });
      return z.NEVER;
    }),
  answer: {
    status: 200,
    description: "The order and its payment intent.",
    schema: z.object(payment).meta({ id: "Checkout" }),
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
  summary: "Confirm a payment and get the subscriptions",
  description:
    "Safe to retry: we fulfil an order once and return the same response. 409: the payment has not succeeded, and the message has its status; or we refund it in full, because it was made after the price lock ended or the account is suspended.",
  body: z.strictObject({ payment_intent_id: z.string().min(1).max(255) }),
  answer: {
    status: 200,
    description: "The subscriptions that the order created or extended.",
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
  description: "Without limit, the response has all subscriptions.",
  query: z.object(wholeOrPageQuery),
  answer: {
    status: 200,
    description: "Subscriptions of any status, newest first.",
    schema: z.object({ subscriptions: z.array(subscription), next_cursor: nextCursor }),
  },
});

export const upcomingExpirations = endpoint({
  id: "listUpcomingExpirations",
  tag: "Subscriptions",
  method: "GET",
  path: "/subscriptions/upcoming-expirations",
  access: "bearer",
  summary: "List subscriptions that end soon",
  description: "Without limit, the response has all subscriptions.",
  query: z.object({
    days: numberText(1, expirationOutlookDays.max)
      .default(expirationOutlookDays.default)
      .meta({
        description: "Only subscriptions that end within this number of days.",
        override: { default: expirationOutlookDays.default },
      }),
    ...wholeOrPageQuery,
  }),
  answer: {
    status: 200,
    description: "Soonest first, including those that renew automatically.",
    schema: z.object({
      subscriptions: z.array(
        subscription
          .extend({
            days_left: z.int().min(1).meta({ description: "Days until end_date, including today (UTC).", example: 6 }),
          })
          .meta({ id: "ExpiringSubscription" }),
      ),
      next_cursor: nextCursor,
    }),
  },
});
