import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/usage.ts";
import { callUsageDocument } from "#app/api/documents/usage.ts";
import { serve } from "#app/api/serve.server.ts";
import { callUsage } from "#app/domain/usage/call-usage.server.ts";

export const action = apiRoute(
  serve(contracts.apiCallUsage, async ({ ctx, caller, query }) =>
    callUsageDocument(await callUsage(ctx, caller, { ...query, apiKeyId: query.api_key_id })),
  ),
);
export { action as loader };
