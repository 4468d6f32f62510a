import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/route-data.ts";
import { routeDataDocument } from "#app/api/documents/catalogue.ts";
import { routeDataRequest } from "#app/api/route-data-request.ts";
import { serveVersioned } from "#app/api/serve.server.ts";
import { openRouteData } from "#app/domain/subscriptions/route-access.server.ts";

export const action = apiRoute(
  serveVersioned(contracts.routeDataByKey, async ({ ctx, caller, query }) => {
    const { version, read } = await openRouteData(ctx, caller, routeDataRequest(query), caller.entitlement);
    return { version, answer: async () => routeDataDocument(await read()) };
  }),
);
export { action as loader };
