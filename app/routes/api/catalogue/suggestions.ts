import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/directory.ts";
import { suggestionsDocument } from "#app/api/documents/directory.ts";
import { serveVersioned } from "#app/api/serve.server.ts";
import { versionedByContent } from "#app/api/versioned.server.ts";
import { suggestPlaces } from "#app/domain/catalogue/suggest.server.ts";

export const action = apiRoute(
  serveVersioned(contracts.suggestions, async ({ ctx, query }) =>
    versionedByContent(suggestionsDocument(await suggestPlaces(ctx, query, query.limit))),
  ),
);
export { action as loader };
