import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/statements.ts";
import { statementSummary } from "#app/api/documents/statements.ts";
import { serve } from "#app/api/serve.server.ts";
import { pageStatements } from "#app/domain/payments/statements.server.ts";

export const action = apiRoute(
  serve(contracts.listStatements, async ({ ctx, caller, query }) => {
    const { rows, nextCursor } = await pageStatements(ctx, caller, query);
    return { statements: rows.map(statementSummary), next_cursor: nextCursor };
  }),
);
export { action as loader };
