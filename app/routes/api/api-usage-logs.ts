import { apiRoute, serve } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/usage.ts";
import { usageLogDocument } from "#app/api/documents/usage.ts";
import { listLogs } from "#app/domain/usage/logs.server.ts";

export const action = apiRoute(
  serve(contracts.listUsageLogs, async ({ ctx, caller, query }) => {
    const filter = { ...query, apiKeyId: query.api_key_id, routeId: query.route_id };
    const { rows, nextCursor } = await listLogs(ctx, caller, filter, query);
    return { usage_logs: rows.map(usageLogDocument), next_cursor: nextCursor };
  }),
);
export { action as loader };
