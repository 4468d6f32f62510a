import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/subscription-actions.ts";
import { serve } from "#app/api/serve.server.ts";
import { billingCsv } from "#app/domain/payments/billing-csv.server.ts";

export const action = apiRoute(serve(contracts.exportBilling, ({ ctx, caller }) => billingCsv(ctx, caller)));
export { action as loader };
