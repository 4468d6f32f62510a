import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/catalogue.ts";
import { facetsDocument, routeDocument } from "#app/api/documents/catalogue.ts";
import { jsonArray, jsonObject, jsonText, keptJson } from "#app/api/kept-json.ts";
import { serveWritten } from "#app/api/serve.server.ts";
import { facetsOf } from "#app/domain/catalogue/search.server.ts";
import { asSearch } from "#app/domain/catalogue/search.ts";
import { browseForAccount } from "#app/domain/subscriptions/route-access.server.ts";

const routeJson = keptJson(contracts.route, routeDocument);
const facetsJson = keptJson(contracts.facets, facetsDocument);

export const action = apiRoute(
  serveWritten(contracts.allRoutes, async ({ ctx, caller, query }) => {
    const [{ rows, nextCursor }, counted] = await Promise.all([
      browseForAccount(ctx, caller, query, query),
      query.facets === "true" ? facetsOf(ctx, asSearch(query)) : null,
    ]);
    return jsonObject({
      routes: jsonArray(rows.map(routeJson)),
      next_cursor: jsonText(nextCursor),
      ...(counted ? { total: jsonText(counted.total), facets: facetsJson(counted.facets) } : {}),
    });
  }),
);
export { action as loader };
