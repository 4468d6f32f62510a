import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/directory.ts";
import { carrierDocument } from "#app/api/documents/directory.ts";
import { serveVersioned } from "#app/api/serve.server.ts";
import { versionedByContent } from "#app/api/versioned.server.ts";
import { browseCarriers } from "#app/domain/catalogue/directory.server.ts";

export const action = apiRoute(
  serveVersioned(contracts.carriers, async ({ ctx, query }) => {
    const { rows, nextCursor } = await browseCarriers(ctx, query, query);
    return versionedByContent({ carriers: rows.map(carrierDocument), next_cursor: nextCursor });
  }),
);
export { action as loader };
