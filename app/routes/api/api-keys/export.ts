import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/keys.ts";
import { keysCsv } from "../../../domain/api-keys/export.ts";
import { allKeys } from "../../../domain/api-keys/manage.server.ts";

export const action = apiRoute(
  serve(contracts.exportKeys, async ({ ctx, caller }) => keysCsv(await allKeys(ctx, caller))),
);
export { action as loader };
