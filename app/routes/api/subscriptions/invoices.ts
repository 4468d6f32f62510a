import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/life.ts";
import { invoiceDocument } from "../../../api/documents/life.ts";
import { pageInvoices } from "../../../domain/payments/invoices.server.ts";

export const action = apiRoute(
  serve(contracts.listInvoices, async ({ ctx, caller, query }) => {
    const { rows, nextCursor } = await pageInvoices(ctx, caller, query);
    return { invoices: rows.map(invoiceDocument), next_cursor: nextCursor };
  }),
);
export { action as loader };
