import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/webhooks.ts";
import { endpointDocument, newEndpointDocument } from "#app/api/documents/webhooks.ts";
import { serve } from "#app/api/serve.server.ts";
import { createEndpoint, listEndpoints } from "#app/domain/webhooks/manage.server.ts";

export const action = apiRoute(
  serve(contracts.listEndpoints, async ({ ctx, caller }) => ({
    webhooks: (await listEndpoints(ctx, caller)).map(endpointDocument),
    next_cursor: null,
  })),
  serve(contracts.createEndpoint, async ({ ctx, caller, body }) =>
    newEndpointDocument(await createEndpoint(ctx, caller, body)),
  ),
);
export { action as loader };
