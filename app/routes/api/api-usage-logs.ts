import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/usage.ts";
import { usageLogDocument } from "#app/api/documents/usage.ts";
import { serve } from "#app/api/serve.server.ts";
import { listLogs } from "#app/domain/usage/logs.server.ts";

export const action = apiRoute(
  serve(contracts.listUsageLogs, async ({ ctx, caller, query }) => {
    const { from, to, status, endpoint } = query;
    const { api_key_id: apiKeyId, route_id: routeId, request_id: requestId, status_class: statusClass } = query;
    const filter = { from, to, status, statusClass, endpoint, apiKeyId, routeId, requestId };
    const { rows, nextCursor } = await listLogs(ctx, caller, filter, query);
    return { usage_logs: rows.map(usageLogDocument), next_cursor: nextCursor };
  }),
);
export { action as loader };
