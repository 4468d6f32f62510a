import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/subscription-actions.ts";
import { subscriptionDocument } from "#app/api/documents/subscriptions.ts";
import { serve } from "#app/api/serve.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/manage.server.ts";

export const action = apiRoute(
  serve(contracts.cancelSubscription, async ({ ctx, caller, params }) =>
    subscriptionDocument(await cancelSubscription(ctx, caller, { id: params.subscription_id })),
  ),
);
export { action as loader };
