import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/subscription-actions.ts";
import { subscriptionDocument } from "#app/api/documents/subscriptions.ts";
import { serve } from "#app/api/serve.server.ts";
import { setAutoRenew } from "#app/domain/subscriptions/manage.server.ts";

export const action = apiRoute(
  serve(contracts.setAutoRenew, async ({ ctx, caller, params, body }) => {
    const input = { id: params.subscription_id, autoRenew: body.auto_renew, renewalTerm: body.renewal_term };
    return subscriptionDocument(await setAutoRenew(ctx, caller, input));
  }),
);
export { action as loader };
