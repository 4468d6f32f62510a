import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/directory.ts";
import { routeGroupDocument } from "#app/api/documents/directory.ts";
import { serveVersioned } from "#app/api/serve.server.ts";
import { versionedByContent } from "#app/api/versioned.server.ts";
import { browseRouteGroups } from "#app/domain/catalogue/directory.server.ts";

export const action = apiRoute(
  serveVersioned(contracts.routeGroups, async ({ ctx, query }) => {
    const { rows, nextCursor } = await browseRouteGroups(ctx, query, query);
    return versionedByContent({ route_groups: rows.map(routeGroupDocument), next_cursor: nextCursor });
  }),
);
export { action as loader };
