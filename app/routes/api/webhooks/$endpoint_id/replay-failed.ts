import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/webhooks.ts";
import { serve } from "#app/api/serve.server.ts";
import { replayFailed } from "#app/domain/webhooks/deliveries.server.ts";

export const action = apiRoute(
  serve(contracts.replayFailed, async ({ ctx, caller, params, body }) => ({
    replayed: await replayFailed(ctx, caller, { endpointId: params.endpoint_id, since: body.since }),
  })),
);
export { action as loader };
