import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/keys.ts";
import { keyDocument } from "#app/api/documents/keys.ts";
import { serve } from "#app/api/serve.server.ts";
import { listKeys } from "#app/domain/api-keys/manage.server.ts";

export const action = apiRoute(
  serve(contracts.listKeys, async ({ ctx, caller, query }) => {
    const { rows, nextCursor } = await listKeys(ctx, caller, query);
    return { api_keys: rows.map(keyDocument), next_cursor: nextCursor };
  }),
);
export { action as loader };
