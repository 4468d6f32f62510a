import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/subscription-actions.ts";
import { invoiceDocuments } from "#app/api/documents/subscription-actions.server.ts";
import { serve } from "#app/api/serve.server.ts";
import { pageInvoices } from "#app/domain/payments/invoices.server.ts";

export const action = apiRoute(
  serve(contracts.listInvoices, async ({ ctx, caller, query }) => {
    const { rows, nextCursor } = await pageInvoices(ctx, caller, query);
    return { invoices: await invoiceDocuments(ctx, rows), next_cursor: nextCursor };
  }),
);
export { action as loader };
