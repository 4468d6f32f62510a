import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/alerts.ts";
import { serve } from "#app/api/serve.server.ts";
import { markAlertsRead } from "#app/domain/alerts/alerts.server.ts";

export const action = apiRoute(
  serve(contracts.markAlertsRead, async ({ ctx, caller, body }) => ({
    marked: await markAlertsRead(ctx, caller, { upTo: body.up_to }),
  })),
);
export { action as loader };
