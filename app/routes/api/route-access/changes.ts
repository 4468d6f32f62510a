import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/changes.ts";
import { changeDocument } from "#app/api/documents/changes.ts";
import { serve } from "#app/api/serve.server.ts";
import { listChanges } from "#app/domain/changes/list.server.ts";

export const action = apiRoute(
  serve(contracts.changes, async ({ ctx, caller, query: { route_id: routeId, ...query } }) => {
    const { changes, nextCursor, hasMore } = await listChanges(ctx, caller, { ...query, routeId });
    return { changes: changes.map(changeDocument), next_cursor: nextCursor, has_more: hasMore };
  }),
);
export { action as loader };
