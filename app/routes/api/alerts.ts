import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/alerts.ts";
import { alertDocument } from "#app/api/documents/alerts.ts";
import { serve } from "#app/api/serve.server.ts";
import { listAlerts } from "#app/domain/alerts/alerts.server.ts";

export const action = apiRoute(
  serve(contracts.listAlerts, async ({ ctx, caller, query }) => {
    const { watch_id: watchId, route_id: routeId, rule: kind, ...rest } = query;
    const { rows, nextCursor } = await listAlerts(ctx, caller, { watchId, routeId, kind, ...rest });
    return { alerts: rows.map(alertDocument), next_cursor: nextCursor };
  }),
);
export { action as loader };
