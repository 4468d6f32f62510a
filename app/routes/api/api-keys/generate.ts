import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/keys.ts";
import { newKeyDocument } from "../../../api/documents/keys.ts";
import { issueKey } from "../../../domain/api-keys/issue.server.ts";

export const action = apiRoute(
  serve(contracts.generateKey, async ({ ctx, caller, body }) => newKeyDocument(await issueKey(ctx, caller, body))),
);
export { action as loader };
