import { apiRoute, serve } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/subscriptions.ts";
import { subscriptionDocument } from "#app/api/documents/subscriptions.ts";
import { upcomingExpirations } from "#app/domain/subscriptions/list.server.ts";

export const action = apiRoute(
  serve(contracts.upcomingExpirations, async ({ ctx, caller, query }) => {
    const found = await upcomingExpirations(ctx, caller, query);
    const subscriptions = found.map((one) => ({ ...subscriptionDocument(one), days_left: one.daysLeft }));
    return { subscriptions, next_cursor: null };
  }),
);
export { action as loader };
