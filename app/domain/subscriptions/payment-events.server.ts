import { paymentCharges } from "../../platform/metrics/metrics.ts";
import type { Context } from "../context.ts";
import { endChargedBackPlans } from "../paid-plans/charged-back-plans.server.ts";
import { countDeclinedPayment, countDeclinedSetup } from "../payments/declined-cards.server.ts";
import { declineClass } from "../payments/declines.ts";
import { recordDisputes } from "../payments/disputes.server.ts";
import { eventWasHandled, markEventHandled } from "../payments/events.server.ts";
import type { PaymentEvent } from "../payments/gateway.ts";
import { ownerOfIntent } from "../payments/orders.server.ts";
import { recordRefunds } from "../payments/refunds.server.ts";
import { endChargedBackTerms } from "./charged-back-terms.server.ts";
import * as queries from "./queries.server.ts";
import { settleIntent } from "./settle.server.ts";

/**
 * Handles a webhook event of the payment provider. Events come in any order and more than once. An event is only a hint:
 * the current state is read from the provider.
 *
 * @throws malformed when the signature is invalid
 * @throws unavailable when the provider cannot be reached; it will send the event again
 */
export const handlePaymentEvent = async (
  ctx: Pick<Context, "db" | "clock" | "payments" | "log" | "rateLimiter" | "settings">,
  delivery: { rawBody: string; signature: string },
): Promise<void> => {
  const event = await ctx.payments.readEvent(delivery.rawBody, delivery.signature, ctx.clock.now());
  if (await eventWasHandled(ctx, event.id)) return;
  await act(ctx, event);
  await markEventHandled(ctx, event);
  ctx.log.info("A payment event was handled", { event_id: event.id, type: event.type });
};

type World = Pick<Context, "db" | "clock" | "payments" | "log" | "rateLimiter" | "settings">;

const act = async (ctx: World, { type, paymentIntentId, chargeId, cardSetupId }: PaymentEvent): Promise<void> => {
  switch (type) {
    case "payment_intent.succeeded":
      if (paymentIntentId) await settleIntent(ctx, paymentIntentId);
      return;
    case "payment_intent.payment_failed":
      // The checkout page shows the failure, and a declined renewal is reported by e-mail.
      ctx.log.info("A payment failed", { payment_intent_id: paymentIntentId });
      if (paymentIntentId) {
        await measureDecline(ctx, paymentIntentId);
        await countDeclinedPayment(ctx, paymentIntentId);
      }
      return;
    case "setup_intent.setup_failed":
      if (cardSetupId) await countDeclinedSetup(ctx, cardSetupId);
      return;
    case "charge.refunded":
      // The refund event may arrive before the payment event.
      if (paymentIntentId) await settleIntent(ctx, paymentIntentId);
      if (chargeId) await recordRefunds(ctx, chargeId);
      return;
    case "charge.dispute.created":
    case "charge.dispute.updated":
    case "charge.dispute.closed":
      // A dispute event may arrive before the payment event.
      if (paymentIntentId) await settleIntent(ctx, paymentIntentId);
      if (chargeId) await recordDisputes(ctx, chargeId);
      await endChargedBackTerms(ctx);
      await endChargedBackPlans(ctx);
      return;
    default:
      return;
  }
};

/** A declined purchase; renewals are counted where they are charged. An event is not sent again for the sake of a count. */
const measureDecline = async (ctx: World, paymentIntentId: string): Promise<void> => {
  try {
    const intent = await ctx.payments.getIntent(paymentIntentId);
    const owner = await ownerOfIntent(ctx, intent);
    if (!owner || (await queries.chargeOfOrder(ctx.db, owner.orderId)) !== null) return;
    paymentCharges.add({ kind: "purchase", outcome: "declined", reason: declineClass(intent.declineCode) });
  } catch (error) {
    ctx.log.warn("A declined payment was not counted", { reason: String(error) });
  }
};
