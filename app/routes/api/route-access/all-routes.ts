import { apiRoute, serve } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/catalogue.ts";
import { routeDocument } from "#app/api/documents/catalogue.ts";
import { browseWithAccess } from "#app/domain/subscriptions/route-access.server.ts";

export const action = apiRoute(
  serve(contracts.allRoutes, async ({ ctx, caller, query }) => {
    const { rows, nextCursor } = await browseWithAccess(ctx, caller, query, query);
    return { routes: rows.map(routeDocument), next_cursor: nextCursor };
  }),
);
export { action as loader };
