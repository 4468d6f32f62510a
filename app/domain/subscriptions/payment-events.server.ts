import type { Context } from "../context.ts";
import { suspendPayerOf } from "../payments/disputes.server.ts";
import { eventWasHandled, markEventHandled } from "../payments/events.server.ts";
import type { PaymentEvent } from "../payments/gateway.ts";
import { settleIntent } from "./settle.server.ts";

/**
 * What the payment provider reports, in any order and more than once. An event is only a hint to look: what has
 * happened is asked of the provider.
 *
 * @throws malformed when the signature does not hold
 * @throws unavailable when the provider is away; it will send the event again
 */
export const handlePaymentEvent = async (
  ctx: Pick<Context, "db" | "clock" | "payments" | "log">,
  delivery: { rawBody: string; signature: string },
): Promise<void> => {
  const event = await ctx.payments.readEvent(delivery.rawBody, delivery.signature, ctx.clock.now());
  if (await eventWasHandled(ctx, event.id)) return;
  await act(ctx, event);
  await markEventHandled(ctx, event);
  ctx.log.info("A payment event was handled", { event_id: event.id, type: event.type });
};

const act = async (ctx: Pick<Context, "db" | "clock" | "payments">, event: PaymentEvent): Promise<void> => {
  if (event.type === "payment_intent.succeeded" && event.paymentIntentId)
    await settleIntent(ctx, event.paymentIntentId);
  if (event.type === "charge.dispute.created" && event.paymentIntentId)
    await suspendPayerOf(ctx, event.paymentIntentId);
};
