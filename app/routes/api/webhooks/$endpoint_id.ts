import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/webhooks.ts";
import { endpointDocument } from "#app/api/documents/webhooks.ts";
import { serve } from "#app/api/serve.server.ts";
import { changeEndpoint, deleteEndpoint, getEndpoint } from "#app/domain/webhooks/manage.server.ts";

export const action = apiRoute(
  serve(contracts.getEndpoint, async ({ ctx, caller, params }) =>
    endpointDocument(await getEndpoint(ctx, caller, { id: params.endpoint_id })),
  ),
  serve(contracts.changeEndpoint, async ({ ctx, caller, params, body }) =>
    endpointDocument(await changeEndpoint(ctx, caller, { id: params.endpoint_id, ...body })),
  ),
  serve(contracts.deleteEndpoint, async ({ ctx, caller, params }) => {
    await deleteEndpoint(ctx, caller, { id: params.endpoint_id });
    return { id: params.endpoint_id, deleted: true as const };
  }),
);
export { action as loader };
