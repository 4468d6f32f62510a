import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/webhooks.ts";
import { endpointDocument } from "#app/api/documents/webhooks.ts";
import { serve } from "#app/api/serve.server.ts";
import { setEndpointStatus } from "#app/domain/webhooks/manage.server.ts";

export const action = apiRoute(
  serve(contracts.setEndpointStatus, async ({ ctx, caller, params, body }) =>
    endpointDocument(await setEndpointStatus(ctx, caller, { id: params.endpoint_id, status: body.status })),
  ),
);
export { action as loader };
