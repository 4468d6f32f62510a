import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/comparison.ts";
import { comparedRouteDocument } from "#app/api/documents/comparison.ts";
import { serveVersioned } from "#app/api/serve.server.ts";
import { versionedByContent } from "#app/api/versioned.server.ts";
import { compareRoutes } from "#app/domain/comparison/compare.server.ts";

export const action = apiRoute(
  serveVersioned(contracts.compareRoutes, async ({ ctx, caller, query }) => {
    const found = await compareRoutes(ctx, caller, {
      origin: query.origin,
      destination: query.destination,
      equipmentType: query.equipment_type,
      sort: query.sort,
    });
    return versionedByContent({ routes: found.map(comparedRouteDocument) });
  }),
);
export { action as loader };
