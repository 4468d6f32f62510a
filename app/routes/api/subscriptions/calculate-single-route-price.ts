import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/subscriptions.ts";
import { orderItem, quoteDocument } from "../../../api/documents/subscriptions.ts";
import { priceOrder } from "../../../domain/subscriptions/price.server.ts";

export const action = apiRoute(
  serve(contracts.calculateSingleRoutePrice, async ({ ctx, caller, body }) =>
    quoteDocument(await priceOrder(ctx, caller.account, [orderItem(body)])),
  ),
);
export { action as loader };
