import type { LoaderFunctionArgs } from "@remix-run/node";
import { getInvoice } from "#app/domain/payments/get-invoice.server.ts";
import { visitForFile } from "#app/portal/download.server.ts";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { invoiceView } from "#app/portal/invoice-view.ts";
import { idOf } from "#app/portal/params.ts";
import { receiptPdf } from "#app/portal/receipt-pdf.server.ts";
import { countDocument } from "#app/portal/request-limits.server.ts";

export const loader = async (args: LoaderFunctionArgs) => {
  const id = idOf(args.params.invoice_id);
  const member = await visitForFile(args, `/billing/${id}`);
  await countDocument(member);
  const { ctx, caller } = member;
  const invoice = invoiceView(await orErrorResponse(getInvoice(ctx, caller, { id })), ctx.settings);
  return new Response(await receiptPdf(invoice), {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="${invoice.kind.replace("_", "-")}-${invoice.number}.pdf"`,
      "Cache-Control": "private, no-store",
    },
  });
};
