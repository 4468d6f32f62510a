import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/subscriptions.ts";
import { subscriptionDocument } from "#app/api/documents/subscriptions.ts";
import { serve } from "#app/api/serve.server.ts";
import { upcomingExpirations } from "#app/domain/subscriptions/list.server.ts";

export const action = apiRoute(
  serve(contracts.upcomingExpirations, async ({ ctx, caller, query }) => {
    const { rows, nextCursor } = await upcomingExpirations(ctx, caller, query);
    const subscriptions = rows.map((one) => ({ ...subscriptionDocument(one), days_left: one.daysLeft }));
    return { subscriptions, next_cursor: nextCursor };
  }),
);
export { action as loader };
