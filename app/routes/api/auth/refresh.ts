import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/auth.ts";
import { tokenDocument } from "../../../api/documents/auth.ts";
import { refresh } from "../../../domain/accounts/session.server.ts";

export const action = apiRoute(
  serve(contracts.refresh, async ({ ctx, caller, origin }) => tokenDocument(await refresh(ctx, caller, origin))),
);
export { action as loader };
