import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/alerts.ts";
import { watchDocument } from "#app/api/documents/alerts.ts";
import { serve } from "#app/api/serve.server.ts";
import { oneWithRoutes } from "#app/domain/alerts/watched-routes.server.ts";
import { getWatch, setRules, unwatch } from "#app/domain/alerts/watchlist.server.ts";

export const action = apiRoute(
  serve(contracts.getWatch, async ({ ctx, caller, params }) =>
    watchDocument(await oneWithRoutes(ctx, caller, await getWatch(ctx, caller, { id: params.watch_id }))),
  ),
  serve(contracts.setWatchRules, async ({ ctx, caller, params, body }) => {
    const watch = await setRules(ctx, caller, { id: params.watch_id, rules: body.rules });
    return watchDocument(await oneWithRoutes(ctx, caller, watch));
  }),
  serve(contracts.deleteWatch, async ({ ctx, caller, params }) => ({
    ...(await unwatch(ctx, caller, { id: params.watch_id })),
    deleted: true as const,
  })),
);
export { action as loader };
