import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/directory.ts";
import { tradeLaneDocument } from "#app/api/documents/directory.ts";
import { serveVersioned } from "#app/api/serve.server.ts";
import { versionedByContent } from "#app/api/versioned.server.ts";
import { browseTradeLanes } from "#app/domain/catalogue/directory.server.ts";

export const action = apiRoute(
  serveVersioned(contracts.tradeLanes, async ({ ctx, query }) => {
    const { rows, nextCursor } = await browseTradeLanes(ctx, query, query);
    return versionedByContent({ trade_lanes: rows.map(tradeLaneDocument), next_cursor: nextCursor });
  }),
);
export { action as loader };
