import { apiRoute, serve } from "../../api/api-route.server.ts";
import * as contracts from "../../api/contracts/openapi.ts";
import { openApiDocument } from "../../api/openapi.ts";

export const action = apiRoute(
  serve(contracts.openApi, async ({ ctx }) => ({ ...openApiDocument(ctx.settings.appUrl) })),
);
export { action as loader };
