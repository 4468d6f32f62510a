import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/webhooks.ts";
import { newEndpointDocument } from "#app/api/documents/webhooks.ts";
import { serve } from "#app/api/serve.server.ts";
import { rotateSecret } from "#app/domain/webhooks/manage.server.ts";

export const action = apiRoute(
  serve(contracts.rotateSecret, async ({ ctx, caller, params }) =>
    newEndpointDocument(await rotateSecret(ctx, caller, { id: params.endpoint_id })),
  ),
);
export { action as loader };
