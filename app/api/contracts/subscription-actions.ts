/** Changes of a subscription after its purchase. */
import { z } from "zod";
import { maxOrderItems, priceLockInWords } from "../../domain/payments/order.ts";
import { plans } from "../../domain/plans/plans.ts";
import { term, terms } from "../../domain/pricing/discounts.ts";
import { maxSelection } from "../../domain/subscriptions/policy.ts";
import { chargeInWords } from "../../domain/subscriptions/wording.ts";
import { endpoint } from "../endpoint.ts";
import { cents, currencyCode, id, idText, instant, nextCursor, pageQuery } from "./shapes.ts";
import { orderLine, payment, subscription } from "./subscriptions.ts";

const subscriptionPath = z.object({ subscription_id: idText.meta({ description: "The subscription's ID." }) });

const asItIsNow = { status: 200 as const, description: "The updated subscription.", schema: subscription };

export const cancelSubscription = endpoint({
  id: "cancelSubscription",
  tag: "Subscriptions",
  method: "POST",
  path: "/subscriptions/{subscription_id}/cancel",
  access: "bearer",
  summary: "Cancel a subscription",
  description: "You keep access until end_date. There are no further charges and no refund.",
  params: subscriptionPath,
  answer: asItIsNow,
  refusals: ["conflict"],
});

export const resumeSubscription = endpoint({
  id: "resumeSubscription",
  tag: "Subscriptions",
  method: "POST",
  path: "/subscriptions/{subscription_id}/resume",
  access: "bearer",
  summary: "Resume a cancelled subscription",
  description: "Possible until end_date. Restores the auto-renewal setting from before the cancellation.",
  params: subscriptionPath,
  answer: asItIsNow,
  refusals: ["conflict"],
});

export const setAutoRenew = endpoint({
  id: "setAutoRenew",
  tag: "Subscriptions",
  method: "PUT",
  path: "/subscriptions/{subscription_id}/auto-renew",
  access: "bearer",
  summary: "Turn auto-renewal on or off, or set its term",
  description: `A renewal is ${chargeInWords}.`,
  params: subscriptionPath,
  body: z.strictObject({ auto_renew: z.boolean(), renewal_term: term.optional() }),
  answer: asItIsNow,
  refusals: ["conflict"],
  example: { body: { auto_renew: true, renewal_term: "12_months" } },
});

export const renewSubscription = endpoint({
  id: "renewSubscription",
  tag: "Subscriptions",
  method: "POST",
  path: "/subscriptions/{subscription_id}/renew",
  access: "bearer",
  summary: "Renew a subscription",
  description: `Locks the price for ${priceLockInWords} and creates a payment intent for another term. Confirm it as after create-payment-intent, then call payment-success. An active subscription is extended from its end_date; an expired one starts again on the day of the payment. The default term is renewal_term. Renewing a cancelled subscription ends the cancellation, but leaves auto-renewal off.`,
  params: subscriptionPath,
  body: z.strictObject({ subscription_term: term.optional() }),
  answer: {
    status: 200,
    description: "The order and its payment intent.",
    schema: z.object(payment).meta({ id: "Renewal" }),
  },
  refusals: ["conflict"],
  idempotent: true,
  example: { body: { subscription_term: "6_months" } },
});

export const changeTerm = endpoint({
  id: "changeTerm",
  tag: "Subscriptions",
  method: "POST",
  path: "/subscriptions/{subscription_id}/change-term",
  access: "bearer",
  summary: "Change the term",
  description:
    "The new term begins on the day of the payment. The unused days, at the price that you paid, are credited against its price. A renewal that is paid before the change is paid follows the new term. If the credit would cover the new term completely, the request is rejected with 409, because we do not refund the rest: change renewal_term instead.",
  params: subscriptionPath,
  body: z.strictObject({ subscription_term: term }),
  answer: {
    status: 200,
    description: "The order and its payment intent. amount_cents is what remains to be paid.",
    schema: z
      .object({
        ...payment,
        credit_cents: cents.meta({ description: "The credit for unused days, already deducted." }),
      })
      .meta({ id: "TermChange" }),
  },
  refusals: ["conflict"],
  idempotent: true,
  example: { body: { subscription_term: "12_months" } },
});

const selection = (most: number) =>
  z
    .array(id)
    .min(1, "Choose at least one subscription")
    .max(most, `At most ${most} subscriptions at once`)
    .meta({ description: "IDs of the account's subscriptions. Duplicates are ignored.", example: [42, 43] });

const resultOfEach = {
  status: 200 as const,
  description: "The subscriptions after the change, oldest first.",
  schema: z.object({
    results: z.array(
      z
        .object({
          subscription,
          changed: z.boolean(),
          reason: z.string().nullable().meta({
            description: "Why it was not changed. Null if it was changed.",
            example: "The subscription is cancelled already",
          }),
        })
        .meta({ id: "SelectionResult" }),
    ),
  }),
};

const ofEach =
  "Changes every subscription that can be changed, in one transaction. For the others, the response has the reason. If an ID is not a subscription of the account, the request returns 404 and changes nothing.";

export const renewSubscriptions = endpoint({
  id: "renewSubscriptions",
  tag: "Subscriptions",
  method: "POST",
  path: "/subscriptions/renew",
  access: "bearer",
  summary: "Renew several subscriptions with one payment",
  description: `Locks the prices for ${priceLockInWords} and creates one payment intent for another term of each subscription. Confirm it as after create-payment-intent, then call payment-success. The default term is each subscription's renewal_term. Auto-renewal does not change. The volume discount counts all routes of the order. If one subscription cannot be renewed, the request returns 409 and creates no order. Earlier unpaid renewals of these subscriptions are cancelled.`,
  body: z.strictObject({ subscription_ids: selection(maxOrderItems), subscription_term: term.optional() }),
  answer: {
    status: 200,
    description: "The order, with one line per subscription, and its payment intent.",
    schema: z.object(payment).meta({ id: "Renewals" }),
  },
  refusals: ["not_found", "conflict"],
  idempotent: true,
  example: { body: { subscription_ids: [42, 43], subscription_term: "6_months" } },
});

export const cancelSubscriptions = endpoint({
  id: "cancelSubscriptions",
  tag: "Subscriptions",
  method: "POST",
  path: "/subscriptions/cancel",
  access: "bearer",
  summary: "Cancel several subscriptions",
  description: ofEach,
  body: z.strictObject({ subscription_ids: selection(maxSelection) }),
  answer: resultOfEach,
  refusals: ["not_found"],
  example: { body: { subscription_ids: [42, 43] } },
});

export const setAutoRenewOfSeveral = endpoint({
  id: "setAutoRenewOfSeveral",
  tag: "Subscriptions",
  method: "PUT",
  path: "/subscriptions/auto-renew",
  access: "bearer",
  summary: "Turn auto-renewal of several subscriptions on or off",
  description: ofEach,
  body: z.strictObject({
    subscription_ids: selection(maxSelection),
    auto_renew: z.boolean(),
    renewal_term: term.optional(),
  }),
  answer: resultOfEach,
  refusals: ["not_found"],
  example: { body: { subscription_ids: [42, 43], auto_renew: false } },
});

export const exportBilling = endpoint({
  id: "exportBillingHistory",
  tag: "Subscriptions",
  method: "GET",
  path: "/subscriptions/invoices/export",
  access: "bearer",
  summary: "Export the billing history as CSV",
  answer: {
    status: 200,
    format: "csv",
    description:
      "One line per invoice or credit note, newest first, as in the portal. RFC 4180, with a header line. Text that a spreadsheet would run as a formula begins with an apostrophe.",
    schema: z.string(),
  },
  example: {
    answer:
      "number,kind,refers_to,issued_at,order_id,order_kind,route_codes,currency,amount_cents,card_brand,card_last4\r\n2026-000042,invoice,,2026-11-20T09:30:00.000Z,57,purchase,C-CNSHA-NLRTM-PEL9,USD,45200,visa,4242\r\n",
  },
});

const invoicedPlan = z
  .object({
    plan: z.enum(plans),
    term: z.enum(terms),
    months: z.int(),
    monthly_cents: cents.meta({ description: "The price per month, before tax." }),
    total_cents: cents.meta({ description: "Before tax." }),
    tax_cents: cents,
  })
  .meta({ id: "InvoicedPlan" });

export const listInvoices = endpoint({
  id: "listInvoices",
  tag: "Subscriptions",
  method: "GET",
  path: "/subscriptions/invoices",
  access: "bearer",
  summary: "List invoices and credit notes",
  query: z.object(pageQuery),
  answer: {
    status: 200,
    description: "Newest first.",
    schema: z.object({
      invoices: z.array(
        z
          .object({
            id,
            number: z
              .string()
              .meta({ description: "Consecutive within a year, without gaps.", example: "2026-000042" }),
            kind: z.enum(["invoice", "credit_note"]),
            order_id: id,
            currency: currencyCode,
            amount_cents: cents.meta({ description: "The amount including tax; negative on a credit note." }),
            tax_cents: cents.meta({ description: "The tax in amount_cents; negative on a credit note.", example: 0 }),
            charged_back_cents: cents.meta({
              description: "The amount that the bank returned after lost disputes; 0 on a credit note.",
              example: 0,
            }),
            issued_at: instant,
            card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
            lines: z.array(orderLine).meta({
              description:
                "The lines of the order. Their total_cents and tax_cents add up to amount_cents. Empty on a credit note and on the invoice of a plan.",
            }),
            plan: invoicedPlan.nullable().meta({
              description: "The plan that was paid for. Null for all other invoices.",
              example: null,
            }),
          })
          .meta({ id: "Invoice" }),
      ),
      next_cursor: nextCursor,
    }),
  },
});
