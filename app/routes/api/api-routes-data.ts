import { apiRoute, serveVersioned } from "../../api/api-route.server.ts";
import * as contracts from "../../api/contracts/catalogue.ts";
import { routeDataDocument } from "../../api/documents/catalogue.ts";
import { openRouteData } from "../../domain/subscriptions/route-access.server.ts";

export const action = apiRoute(
  serveVersioned(contracts.routeDataByKey, async ({ ctx, caller, query }) => {
    const { version, read } = await openRouteData(ctx, caller, { ...query, periodId: query.period_id });
    return { version, answer: async () => routeDataDocument(await read()) };
  }),
);
export { action as loader };
