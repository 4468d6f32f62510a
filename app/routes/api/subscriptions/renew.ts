import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/life.ts";
import { checkoutDocument } from "../../../api/documents/subscriptions.ts";
import { renewSubscription } from "../../../domain/subscriptions/renew.server.ts";

export const action = apiRoute(
  serve(contracts.renewSubscription, async ({ ctx, caller, params, body }) =>
    checkoutDocument(
      await renewSubscription(ctx, caller, { id: params.subscription_id, term: body.subscription_term }),
    ),
  ),
);
export { action as loader };
