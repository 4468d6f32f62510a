import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { DescriptionList } from "#app/portal/components/description-list.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { formatDay, formatMoney } from "#app/portal/format.ts";
import { statementView } from "#app/portal/statement-view.ts";
import { openStatement } from "./read-statement.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title ?? "Statement"} · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => statementView((await openStatement(args)).statement);

const StatementPage = () => {
  const { title, month, currency, isComplete, entries, totals, openingCents, closingCents, disputes } =
    useLoaderData<typeof loader>();
  const path = `/billing/statements/${month}`;
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[
          { label: "Billing", to: "/billing" },
          { label: "Statements", to: "/billing/statements" },
        ]}
        title={title}
        description={
          isComplete
            ? "A positive balance is what you owe us. Payments and credit notes reduce it."
            : "This month is in progress. More entries may follow."
        }
        actions={
          <>
            <ButtonLink to={`${path}/statement.csv`} icon="download" reloadDocument prefetch="none">
              CSV
            </ButtonLink>
            <ButtonLink to={`${path}/statement.pdf`} variant="primary" icon="download" reloadDocument prefetch="none">
              Download PDF
            </ButtonLink>
          </>
        }
      />
      <Card>
        <DescriptionList
          facts={[
            { term: "Opening balance", description: formatMoney(openingCents, currency) },
            ...totals.map(({ label, cents }) => ({ term: label, description: formatMoney(cents, currency) })),
            { term: "Closing balance", description: formatMoney(closingCents, currency) },
          ]}
        />
      </Card>
      <Card title="Entries" flush>
        <Table
          caption="Entries, oldest first"
          columns={entryColumns}
          rows={entries.map((entry) => ({ ...entry, currency }))}
          rowKey={({ key }) => key}
          empty={
            <EmptyState icon="card" title="No entries">
              There were no invoices, payments or refunds in this month.
            </EmptyState>
          }
        />
      </Card>
      {disputes.length > 0 ? (
        <Card title="Disputes" description="Your bank decides disputes. They do not change the balance." flush>
          <Table
            caption="Disputes"
            columns={disputeColumns}
            rows={disputes.map((dispute) => ({ ...dispute, currency }))}
            rowKey={({ id }) => id}
          />
        </Card>
      ) : null}
    </div>
  );
};

export default StatementPage;

type Documented = { label: string; documentId: number; amountCents: number; currency: string };

const documentColumn = {
  key: "entry",
  header: "Entry",
  primary: true,
  cell: ({ documentId, label }: Documented) => (
    <Link to={`/billing/${documentId}`} prefetch="intent" className="link">
      {label}
    </Link>
  ),
} satisfies Column<Documented>;

const amountColumn = {
  key: "amount",
  header: "Amount",
  align: "end",
  cell: ({ amountCents, currency }: Documented) => formatMoney(amountCents, currency),
} satisfies Column<Documented>;

const entryColumns: Column<Documented & { at: string }>[] = [
  documentColumn,
  { key: "date", header: "Date", cell: ({ at }) => <span className="whitespace-nowrap">{formatDay(at)}</span> },
  amountColumn,
];

const disputeColumns: Column<Documented>[] = [documentColumn, amountColumn];
