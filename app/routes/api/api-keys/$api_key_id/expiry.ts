import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/keys.ts";
import { keyDocument } from "#app/api/documents/keys.ts";
import { serve } from "#app/api/serve.server.ts";
import { setKeyExpiry } from "#app/domain/api-keys/manage.server.ts";

export const action = apiRoute(
  serve(contracts.setKeyExpiry, async ({ ctx, caller, params, body }) =>
    keyDocument(await setKeyExpiry(ctx, caller, { id: params.api_key_id, expiresAt: body.expires_at })),
  ),
);
export { action as loader };
