import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { listInvoices } from "../../domain/payments/invoices.server.ts";
import { ButtonLink } from "../../portal/components/button.tsx";
import { Card } from "../../portal/components/card.tsx";
import { EmptyState } from "../../portal/components/empty-state.tsx";
import { PageHeader } from "../../portal/components/page-header.tsx";
import { type Column, Table } from "../../portal/components/table.tsx";
import { formatDay, formatMoney, formatWord } from "../../portal/format.ts";
import { visitOfMember } from "../../portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Billing · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const invoices = await listInvoices(ctx, caller);
  return { invoices: invoices.map(({ issuedAt, ...invoice }) => ({ ...invoice, issuedAt: issuedAt.toISOString() })) };
};

const Billing = () => {
  const { invoices } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader title="Billing" description="Every invoice and credit note, newest first." />
      <Card flush>
        <Table
          caption="Invoices"
          columns={columns}
          rows={invoices}
          rowKey={(row) => row.id}
          empty={
            <EmptyState
              icon="card"
              title="Nothing billed yet"
              action={<ButtonLink to="/routes">Find a route</ButtonLink>}
            >
              Invoices appear here with your first subscription.
            </EmptyState>
          }
        />
      </Card>
    </div>
  );
};

export default Billing;

type Row = ReturnType<typeof useLoaderData<typeof loader>>["invoices"][number];

const columns: Column<Row>[] = [
  { key: "number", header: "Number", primary: true, cell: (row) => <span className="font-mono">{row.number}</span> },
  { key: "date", header: "Date", cell: (row) => formatDay(row.issuedAt) },
  { key: "kind", header: "Kind", cell: (row) => formatWord(row.kind) },
  {
    key: "card",
    header: "Card",
    cell: (row) =>
      row.card ? `${formatWord(row.card.brand)} •••• ${row.card.last4}` : <span className="text-muted">None</span>,
  },
  { key: "amount", header: "Amount", align: "end", cell: (row) => formatMoney(row.amountCents, row.currency) },
];
