import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/subscriptions.ts";
import { checkoutDocument, orderItem } from "#app/api/documents/orders.server.ts";
import { serve } from "#app/api/serve.server.ts";
import { checkout } from "#app/domain/subscriptions/checkout.server.ts";

export const action = apiRoute(
  serve(contracts.createPaymentIntent, async ({ ctx, caller, body }) =>
    checkoutDocument(
      ctx,
      await checkout(ctx, caller, { items: body.items.map(orderItem), autoRenew: body.auto_renew }),
    ),
  ),
);
export { action as loader };
