import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/auth.ts";
import { serve } from "#app/api/serve.server.ts";
import { closeSession } from "#app/domain/accounts/session.server.ts";

export const action = apiRoute(
  serve(contracts.logout, async ({ ctx, caller }) => {
    await closeSession(ctx, caller);
    return { success: true as const };
  }),
);
export { action as loader };
