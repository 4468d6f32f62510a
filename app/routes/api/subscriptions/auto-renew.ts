import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/life.ts";
import { subscriptionDocument } from "../../../api/documents/subscriptions.ts";
import { setAutoRenew } from "../../../domain/subscriptions/manage.server.ts";

export const action = apiRoute(
  serve(contracts.setAutoRenew, async ({ ctx, caller, params, body }) => {
    const input = { id: params.subscription_id, autoRenew: body.auto_renew, renewalTerm: body.renewal_term };
    return subscriptionDocument(await setAutoRenew(ctx, caller, input));
  }),
);
export { action as loader };
