import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/alerts.ts";
import { watchDocument } from "#app/api/documents/alerts.ts";
import { serve } from "#app/api/serve.server.ts";
import { oneWithRoutes, withRoutes } from "#app/domain/alerts/watched-routes.server.ts";
import { listWatches, watch } from "#app/domain/alerts/watchlist.server.ts";

export const action = apiRoute(
  serve(contracts.listWatches, async ({ ctx, caller, query }) => {
    const { rows, nextCursor } = await listWatches(ctx, caller, query);
    return { watches: (await withRoutes(ctx, caller, rows)).map(watchDocument), next_cursor: nextCursor };
  }),
  serve(contracts.createWatch, async ({ ctx, caller, body }) =>
    watchDocument(await oneWithRoutes(ctx, caller, await watch(ctx, caller, body))),
  ),
);
export { action as loader };
