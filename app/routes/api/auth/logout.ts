import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/auth.ts";
import { closeSession } from "../../../domain/accounts/session.server.ts";

export const action = apiRoute(
  serve(contracts.logout, async ({ ctx, caller }) => {
    await closeSession(ctx, caller);
    return { success: true as const };
  }),
);
export { action as loader };
