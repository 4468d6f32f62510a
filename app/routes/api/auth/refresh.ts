import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/auth.ts";
import { tokenDocument } from "#app/api/documents/auth.ts";
import { serve } from "#app/api/serve.server.ts";
import { refresh } from "#app/domain/accounts/session.server.ts";

export const action = apiRoute(
  serve(contracts.refresh, async ({ ctx, caller, origin }) => tokenDocument(await refresh(ctx, caller, origin))),
);
export { action as loader };
