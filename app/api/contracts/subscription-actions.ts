/** Changes of a subscription after its purchase. */
import { z } from "zod";
import { priceLockInWords } from "../../domain/payments/order.ts";
import { term } from "../../domain/pricing/discounts.ts";
import { chargeInWords } from "../../domain/subscriptions/wording.ts";
import { endpoint } from "../endpoint.ts";
import { cents, currencyCode, id, idText, instant, nextCursor, pageQuery } from "./shapes.ts";
import { quoteLine, subscription } from "./subscriptions.ts";

const subscriptionPath = z.object({ subscription_id: idText.meta({ description: "The subscription." }) });

const asItIsNow = { status: 200 as const, description: "The subscription as it is now.", schema: subscription };

const payment = {
  payment_intent_id: z.string(),
  client_secret: z.string(),
  order_id: id,
  amount_cents: cents,
  currency: currencyCode,
  lines: z.array(quoteLine),
};

export const cancelSubscription = endpoint({
  id: "cancelSubscription",
  tag: "Subscriptions",
  method: "POST",
  path: "/subscriptions/{subscription_id}/cancel",
  access: "bearer",
  summary: "Cancel a subscription",
  description: "Access continues until end_date; nothing is charged any more, and nothing is refunded.",
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
  summary: "Undo a cancellation",
  description: "While the paid period still runs. Auto-renewal is again what it was before the cancellation.",
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
  summary: "Turn auto-renewal on or off, or choose the term it renews for",
  description: `The renewal is ${chargeInWords}.`,
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
  summary: "Renew a subscription early or late",
  description: `Locks a price for ${priceLockInWords} and begins the payment of another term; confirm it with client_secret, then call payment-success. A running subscription is extended from its end_date, an expired one begins again on the day of the payment. Without subscription_term, its renewal_term. A cancelled subscription that is renewed is no longer cancelled; it does not renew by itself unless auto-renewal is turned on again.`,
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
  summary: "Change the term now",
  description:
    "The new term begins on the day of the payment. The unused days, at the price paid for them, are credited against it. Terms that are paid for while the change waits for its payment follow the new term. Where they are worth as much as the new term or more, the change is refused with 409, as nothing is refunded: change renewal_term instead.",
  params: subscriptionPath,
  body: z.strictObject({ subscription_term: term }),
  answer: {
    status: 200,
    description: "The order and its payment intent; amount_cents is what is left to pay.",
    schema: z
      .object({
        ...payment,
        credit_cents: cents.meta({ description: "What the unused days are worth; taken off already." }),
      })
      .meta({ id: "TermChange" }),
  },
  refusals: ["conflict"],
  idempotent: true,
  example: { body: { subscription_term: "12_months" } },
});

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
            number: z.string().meta({ description: "Without gaps within a year.", example: "2026-000042" }),
            kind: z.enum(["invoice", "credit_note"]),
            order_id: id,
            currency: currencyCode,
            amount_cents: cents.meta({ description: "Minor units; negative on a credit note." }),
            issued_at: instant,
            card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
            lines: z
              .array(
                quoteLine
                  .extend({
                    credit_cents: cents.meta({ description: "Of a change of term: what the unused days were worth." }),
                  })
                  .meta({ id: "InvoiceLine" }),
              )
              .meta({ description: "As they were priced; their totals are the amount. A credit note has none." }),
          })
          .meta({ id: "Invoice" }),
      ),
      next_cursor: nextCursor,
    }),
  },
});
