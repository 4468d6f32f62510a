import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/keys.ts";
import { serve } from "#app/api/serve.server.ts";
import { keysCsv } from "#app/domain/api-keys/export.ts";
import { allKeys } from "#app/domain/api-keys/manage.server.ts";

export const action = apiRoute(
  serve(contracts.exportKeys, async ({ ctx, caller }) => keysCsv(await allKeys(ctx, caller))),
);
export { action as loader };
