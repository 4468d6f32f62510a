import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/catalogue.ts";
import { routeDataDocument } from "../../../api/documents/catalogue.ts";
import { readRouteData } from "../../../domain/subscriptions/route-access.server.ts";

export const action = apiRoute(
  serve(contracts.routeDataByBearer, async ({ ctx, caller, query }) =>
    routeDataDocument(await readRouteData(ctx, caller, { ...query, periodId: query.period_id })),
  ),
);
export { action as loader };
