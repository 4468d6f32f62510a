import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/statements.ts";
import { serve } from "#app/api/serve.server.ts";
import { statementCsv } from "#app/domain/payments/statement-csv.ts";
import { getStatement } from "#app/domain/payments/statements.server.ts";

export const action = apiRoute(
  serve(contracts.exportStatement, async ({ ctx, caller, params }) =>
    statementCsv(await getStatement(ctx, caller, params)),
  ),
);
export { action as loader };
