import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { getInvoice } from "#app/domain/payments/get-invoice.server.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { InvoiceDocument, InvoiceState } from "#app/portal/components/invoice-document.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { PrintButton } from "#app/portal/components/print-button.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { invoiceView } from "#app/portal/invoice-view.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfMember } from "#app/portal/session.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title ?? "Invoice"} · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const id = idOf(args.params.invoice_id);
  return invoiceView(await orErrorResponse(getInvoice(ctx, caller, { id })), ctx.settings);
};

const InvoicePage = () => {
  const invoice = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <div className="no-print">
        <PageHeader
          breadcrumbs={[{ label: "Billing", to: "/billing" }]}
          title={invoice.title}
          badge={<InvoiceState invoice={invoice} />}
          actions={
            <>
              <PrintButton />
              <ButtonLink
                to={`/billing/${invoice.id}/receipt.pdf`}
                variant="primary"
                icon="download"
                reloadDocument
                prefetch="none"
              >
                Download PDF
              </ButtonLink>
            </>
          }
        />
      </div>
      <div className="mx-auto w-full max-w-3xl print:max-w-none">
        <InvoiceDocument invoice={invoice} />
      </div>
    </div>
  );
};

export default InvoicePage;
