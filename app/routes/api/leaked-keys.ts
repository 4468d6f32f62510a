import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/keys.ts";
import { serve } from "#app/api/serve.server.ts";
import { reportLeakedKey } from "#app/domain/api-keys/leaked.server.ts";

export const action = apiRoute(
  serve(contracts.reportLeakedKey, async ({ ctx, body }) => {
    await reportLeakedKey(ctx, body);
    return { received: true as const };
  }),
);
export { action as loader };
