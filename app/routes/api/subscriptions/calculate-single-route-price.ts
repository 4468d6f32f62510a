import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/subscriptions.ts";
import { orderItem, quoteDocument } from "#app/api/documents/orders.server.ts";
import { serve } from "#app/api/serve.server.ts";
import { priceWithTax } from "#app/domain/subscriptions/price.server.ts";

export const action = apiRoute(
  serve(contracts.calculateSingleRoutePrice, async ({ ctx, caller, body }) =>
    quoteDocument(ctx, await priceWithTax(ctx, caller.account, [orderItem(body)])),
  ),
);
export { action as loader };
