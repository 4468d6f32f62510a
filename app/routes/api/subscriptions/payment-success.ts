import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/subscriptions.ts";
import { subscriptionDocument } from "../../../api/documents/subscriptions.ts";
import { confirmPayment } from "../../../domain/subscriptions/settle.server.ts";

export const action = apiRoute(
  serve(contracts.paymentSuccess, async ({ ctx, caller, body }) => {
    const subscriptions = await confirmPayment(ctx, caller, { paymentIntentId: body.payment_intent_id });
    return { subscriptions: subscriptions.map(subscriptionDocument) };
  }),
);
export { action as loader };
