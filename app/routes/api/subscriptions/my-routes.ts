import { apiRoute, serve } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/subscriptions.ts";
import { subscriptionDocument } from "#app/api/documents/subscriptions.ts";
import { listSubscriptions } from "#app/domain/subscriptions/list.server.ts";

export const action = apiRoute(
  serve(contracts.myRoutes, async ({ ctx, caller }) => ({
    subscriptions: (await listSubscriptions(ctx, caller)).map(subscriptionDocument),
    next_cursor: null,
  })),
);
export { action as loader };
