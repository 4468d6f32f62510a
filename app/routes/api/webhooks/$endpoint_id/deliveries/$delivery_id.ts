import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/webhooks.ts";
import { deliveryDetailsDocument } from "#app/api/documents/webhooks.ts";
import { serve } from "#app/api/serve.server.ts";
import { getDelivery } from "#app/domain/webhooks/deliveries.server.ts";

export const action = apiRoute(
  serve(contracts.getDelivery, async ({ ctx, caller, params }) =>
    deliveryDetailsDocument(await getDelivery(ctx, caller, { endpointId: params.endpoint_id, id: params.delivery_id })),
  ),
);
export { action as loader };
