import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/subscription-actions.ts";
import { selectionDocument } from "#app/api/documents/subscriptions.ts";
import { serve } from "#app/api/serve.server.ts";
import { setAutoRenewOfSelection } from "#app/domain/subscriptions/manage.server.ts";

export const action = apiRoute(
  serve(contracts.setAutoRenewOfSeveral, async ({ ctx, caller, body }) => {
    const input = { ids: body.subscription_ids, autoRenew: body.auto_renew, renewalTerm: body.renewal_term };
    return selectionDocument(await setAutoRenewOfSelection(ctx, caller, input));
  }),
);
export { action as loader };
