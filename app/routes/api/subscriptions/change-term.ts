import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/life.ts";
import { termChangeDocument } from "../../../api/documents/life.ts";
import { changeTerm } from "../../../domain/subscriptions/renew.server.ts";

export const action = apiRoute(
  serve(contracts.changeTerm, async ({ ctx, caller, params, body }) =>
    termChangeDocument(await changeTerm(ctx, caller, { id: params.subscription_id, term: body.subscription_term })),
  ),
);
export { action as loader };
