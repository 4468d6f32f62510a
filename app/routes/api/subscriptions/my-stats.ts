import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/usage.ts";
import { statsDocument } from "#app/api/documents/usage.ts";
import { serve } from "#app/api/serve.server.ts";
import { accountStats } from "#app/domain/usage/stats.server.ts";

export const action = apiRoute(
  serve(contracts.myStats, async ({ ctx, caller }) => statsDocument(await accountStats(ctx, caller))),
);
export { action as loader };
