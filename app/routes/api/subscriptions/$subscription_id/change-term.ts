import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/subscription-actions.ts";
import { termChangeDocument } from "#app/api/documents/subscription-actions.server.ts";
import { serve } from "#app/api/serve.server.ts";
import { changeTerm } from "#app/domain/subscriptions/renew.server.ts";

export const action = apiRoute(
  serve(contracts.changeTerm, async ({ ctx, caller, params, body }) =>
    termChangeDocument(
      ctx,
      await changeTerm(ctx, caller, { id: params.subscription_id, term: body.subscription_term }),
    ),
  ),
);
export { action as loader };
