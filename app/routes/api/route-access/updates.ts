import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/changes.ts";
import { changeEventStream } from "#app/api/documents/changes.ts";
import { serveEvents } from "#app/api/serve.server.ts";
import { followChanges } from "#app/domain/changes/follow.server.ts";

export const action = apiRoute(
  serveEvents(contracts.updates, async ({ ctx, caller, query, lastEventId, identifyAgain }) => {
    const { since, route_id: routeId, type } = query;
    const request = { since: lastEventId ?? since, routeId, type };
    return changeEventStream(ctx, await followChanges(ctx, caller, request, identifyAgain));
  }),
);
export { action as loader };
