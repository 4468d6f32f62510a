import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/subscription-actions.ts";
import { checkoutDocument } from "#app/api/documents/orders.server.ts";
import { serve } from "#app/api/serve.server.ts";
import { renewSelection } from "#app/domain/subscriptions/renew-selection.server.ts";

export const action = apiRoute(
  serve(contracts.renewSubscriptions, async ({ ctx, caller, body }) =>
    checkoutDocument(
      ctx,
      await renewSelection(ctx, caller, { ids: body.subscription_ids, term: body.subscription_term }),
    ),
  ),
);
export { action as loader };
