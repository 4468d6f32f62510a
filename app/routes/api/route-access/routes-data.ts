import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/route-data.ts";
import { routeDataRequest, versionedRouteData } from "#app/api/route-data-request.ts";
import { serveVersioned } from "#app/api/serve.server.ts";
import { openRouteData } from "#app/domain/subscriptions/route-access.server.ts";
import { whenKnown } from "#app/platform/maybe-promise.ts";

export const action = apiRoute(
  serveVersioned(contracts.routeDataByBearer, ({ ctx, caller, query }) =>
    whenKnown(openRouteData(ctx, caller, routeDataRequest(query)), versionedRouteData),
  ),
);
export { action as loader };
