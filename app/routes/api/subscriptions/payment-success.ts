import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/subscriptions.ts";
import { subscriptionDocument } from "#app/api/documents/subscriptions.ts";
import { serve } from "#app/api/serve.server.ts";
import { confirmPayment } from "#app/domain/subscriptions/settle.server.ts";

export const action = apiRoute(
  serve(contracts.paymentSuccess, async ({ ctx, caller, body }) => {
    const subscriptions = await confirmPayment(ctx, caller, { paymentIntentId: body.payment_intent_id });
    return { subscriptions: subscriptions.map(subscriptionDocument) };
  }),
);
export { action as loader };
