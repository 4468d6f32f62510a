import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/subscriptions.ts";
import { checkoutDocument, orderItem } from "../../../api/documents/subscriptions.ts";
import { checkout } from "../../../domain/subscriptions/checkout.server.ts";

export const action = apiRoute(
  serve(contracts.createPaymentIntent, async ({ ctx, caller, body }) =>
    checkoutDocument(await checkout(ctx, caller, { items: body.items.map(orderItem), autoRenew: body.auto_renew })),
  ),
);
export { action as loader };
