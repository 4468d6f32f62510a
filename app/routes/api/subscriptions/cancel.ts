import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/subscription-actions.ts";
import { selectionDocument } from "#app/api/documents/subscriptions.ts";
import { serve } from "#app/api/serve.server.ts";
import { cancelSelection } from "#app/domain/subscriptions/manage.server.ts";

export const action = apiRoute(
  serve(contracts.cancelSubscriptions, async ({ ctx, caller, body }) =>
    selectionDocument(await cancelSelection(ctx, caller, { ids: body.subscription_ids })),
  ),
);
export { action as loader };
