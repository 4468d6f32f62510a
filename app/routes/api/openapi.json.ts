import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/openapi.ts";
import { openApiDocument } from "#app/api/openapi.ts";
import { serveVersioned } from "#app/api/serve.server.ts";

export const action = apiRoute(
  serveVersioned(contracts.openApi, async ({ ctx: { settings } }) => ({
    version: settings.appUrl,
    answer: async () => ({ ...openApiDocument(settings.appUrl) }),
  })),
);
export { action as loader };
