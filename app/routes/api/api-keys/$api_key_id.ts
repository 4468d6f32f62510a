import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/keys.ts";
import { keyDocument } from "#app/api/documents/keys.ts";
import { serve } from "#app/api/serve.server.ts";
import { deleteKey, getKey } from "#app/domain/api-keys/manage.server.ts";

export const action = apiRoute(
  serve(contracts.getKey, async ({ ctx, caller, params }) =>
    keyDocument(await getKey(ctx, caller, { id: params.api_key_id })),
  ),
  serve(contracts.deleteKey, async ({ ctx, caller, params }) => ({
    ...(await deleteKey(ctx, caller, { id: params.api_key_id })),
    deleted: true as const,
  })),
);
export { action as loader };
