import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/usage.ts";
import { statsDocument } from "../../../api/documents/usage.ts";
import { accountStats } from "../../../domain/usage/stats.server.ts";

export const action = apiRoute(
  serve(contracts.myStats, async ({ ctx, caller }) => statsDocument(await accountStats(ctx, caller))),
);
export { action as loader };
