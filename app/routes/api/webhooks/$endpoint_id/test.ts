import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/webhooks.ts";
import { deliveryDetailsDocument } from "#app/api/documents/webhooks.ts";
import { serve } from "#app/api/serve.server.ts";
import { sendTestEvent } from "#app/domain/webhooks/deliveries.server.ts";

export const action = apiRoute(
  serve(contracts.sendTestEvent, async ({ ctx, caller, params }) =>
    deliveryDetailsDocument(await sendTestEvent(ctx, caller, { endpointId: params.endpoint_id })),
  ),
);
export { action as loader };
