import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/subscriptions.ts";
import { subscriptionDocument } from "../../../api/documents/subscriptions.ts";
import { listSubscriptions } from "../../../domain/subscriptions/list.server.ts";

export const action = apiRoute(
  serve(contracts.myRoutes, async ({ ctx, caller }) => ({
    subscriptions: (await listSubscriptions(ctx, caller)).map(subscriptionDocument),
    next_cursor: null,
  })),
);
export { action as loader };
