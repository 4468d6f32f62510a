import { apiRoute, serve } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/catalogue.ts";
import { facetsDocument, routeDocument } from "#app/api/documents/catalogue.ts";
import { facetsOf } from "#app/domain/catalogue/search.server.ts";
import { asSearch } from "#app/domain/catalogue/search.ts";
import { browseForAccount } from "#app/domain/subscriptions/route-access.server.ts";

export const action = apiRoute(
  serve(contracts.allRoutes, async ({ ctx, caller, query }) => {
    const [{ rows, nextCursor }, counted] = await Promise.all([
      browseForAccount(ctx, caller, query, query),
      query.facets === "true" ? facetsOf(ctx, asSearch(query)) : null,
    ]);
    return {
      routes: rows.map(routeDocument),
      next_cursor: nextCursor,
      ...(counted ? { total: counted.total, facets: facetsDocument(counted.facets) } : {}),
    };
  }),
);
export { action as loader };
