import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/statements.ts";
import { statementDocument } from "#app/api/documents/statements.ts";
import { serve } from "#app/api/serve.server.ts";
import { getStatement } from "#app/domain/payments/statements.server.ts";

export const action = apiRoute(
  serve(contracts.getStatement, async ({ ctx, caller, params }) =>
    statementDocument(await getStatement(ctx, caller, params)),
  ),
);
export { action as loader };
