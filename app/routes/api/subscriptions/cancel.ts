import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/life.ts";
import { subscriptionDocument } from "../../../api/documents/subscriptions.ts";
import { cancelSubscription } from "../../../domain/subscriptions/manage.server.ts";

export const action = apiRoute(
  serve(contracts.cancelSubscription, async ({ ctx, caller, params }) =>
    subscriptionDocument(await cancelSubscription(ctx, caller, { id: params.subscription_id })),
  ),
);
export { action as loader };
