import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/directory.ts";
import { regionDocument } from "#app/api/documents/directory.ts";
import { serveVersioned } from "#app/api/serve.server.ts";
import { versionedByContent } from "#app/api/versioned.server.ts";
import { browseRegions } from "#app/domain/catalogue/directory.server.ts";

export const action = apiRoute(
  serveVersioned(contracts.regions, async ({ ctx, query }) => {
    const { rows, nextCursor } = await browseRegions(ctx, query, query);
    return versionedByContent({ regions: rows.map(regionDocument), next_cursor: nextCursor });
  }),
);
export { action as loader };
