import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/webhooks.ts";
import { deliveryDocument } from "#app/api/documents/webhooks.ts";
import { serve } from "#app/api/serve.server.ts";
import { listDeliveries } from "#app/domain/webhooks/deliveries.server.ts";

export const action = apiRoute(
  serve(contracts.listDeliveries, async ({ ctx, caller, params, query: { limit, cursor, ...filter } }) => {
    const page = await listDeliveries(ctx, caller, params.endpoint_id, filter, { limit, cursor });
    return { deliveries: page.rows.map(deliveryDocument), next_cursor: page.nextCursor };
  }),
);
export { action as loader };
