import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/subscriptions.ts";
import { subscriptionDocument } from "#app/api/documents/subscriptions.ts";
import { serve } from "#app/api/serve.server.ts";
import { pageSubscriptions } from "#app/domain/subscriptions/list.server.ts";

export const action = apiRoute(
  serve(contracts.myRoutes, async ({ ctx, caller, query }) => {
    const { rows, nextCursor } = await pageSubscriptions(ctx, caller, query);
    return { subscriptions: rows.map(subscriptionDocument), next_cursor: nextCursor };
  }),
);
export { action as loader };
