import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/catalogue.ts";
import { accessDocument } from "#app/api/documents/catalogue.ts";
import { serve } from "#app/api/serve.server.ts";
import { checkAccess } from "#app/domain/subscriptions/route-access.server.ts";

export const action = apiRoute(
  serve(contracts.checkAccess, async ({ ctx, caller, body }) => {
    const routes = (await checkAccess(ctx, caller, body.route_ids)).map(accessDocument);
    return { ...(body.single ? routes[0] : {}), routes };
  }),
);
export { action as loader };
