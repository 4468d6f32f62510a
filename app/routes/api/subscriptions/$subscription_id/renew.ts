import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/subscription-actions.ts";
import { checkoutDocument } from "#app/api/documents/orders.server.ts";
import { serve } from "#app/api/serve.server.ts";
import { renewSubscription } from "#app/domain/subscriptions/renew.server.ts";

export const action = apiRoute(
  serve(contracts.renewSubscription, async ({ ctx, caller, params, body }) =>
    checkoutDocument(
      ctx,
      await renewSubscription(ctx, caller, { id: params.subscription_id, term: body.subscription_term }),
    ),
  ),
);
export { action as loader };
