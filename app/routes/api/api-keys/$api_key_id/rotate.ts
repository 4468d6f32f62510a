import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/keys.ts";
import { newKeyDocument } from "#app/api/documents/keys.ts";
import { serve } from "#app/api/serve.server.ts";
import { rotateKey } from "#app/domain/api-keys/rotate.server.ts";

export const action = apiRoute(
  serve(contracts.rotateKey, async ({ ctx, caller, params, body }) =>
    newKeyDocument(await rotateKey(ctx, caller, { id: params.api_key_id, overlapHours: body.overlap_hours })),
  ),
);
export { action as loader };
