import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { customPricingInWords } from "#app/domain/pricing/volume-discount.ts";
import { listQuotes } from "#app/domain/quotes/request.server.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { QuoteBadge } from "#app/portal/components/quote-badge.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { formatCount, formatDay, formatMoney } from "#app/portal/format.ts";
import { visitOfMember } from "#app/portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Quotes · Billing · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const quotes = await listQuotes(ctx, caller);
  return {
    rows: quotes.map(({ id, state, routes, totalCents, currency, requestedAt, offer }) => ({
      id,
      state,
      routes,
      totalCents: offer && totalCents,
      currency,
      requestedAt: requestedAt.toISOString(),
      validThrough: offer?.validThrough ?? null,
    })),
  };
};

const Quotes = () => {
  const { rows } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Quotes"
        breadcrumbs={[{ label: "Billing", to: "/billing" }]}
        description={`Prices for orders of ${customPricingInWords}.`}
      />
      <Card flush>
        <Table
          caption="Quotes, newest first"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          empty={
            <EmptyState icon="layers" title="No quotes yet" action={<ButtonLink to="/basket">Open basket</ButtonLink>}>
              Add {customPricingInWords} to your basket, then request a quote there.
            </EmptyState>
          }
        />
      </Card>
    </div>
  );
};

export default Quotes;

type Row = ReturnType<typeof useLoaderData<typeof loader>>["rows"][number];

const columns: Column<Row>[] = [
  {
    key: "quote",
    header: "Quote",
    primary: true,
    cell: ({ id }) => (
      <Link to={`/billing/quotes/${id}`} prefetch="intent" className="link">
        Quote {id}
      </Link>
    ),
  },
  { key: "routes", header: "Order", cell: ({ routes }) => formatCount(routes, "route") },
  { key: "state", header: "Status", cell: ({ state }) => <QuoteBadge state={state} reader="holder" /> },
  { key: "requested", header: "Requested", cell: ({ requestedAt }) => formatDay(requestedAt) },
  {
    key: "valid",
    header: "Last day of the offer",
    cell: ({ validThrough }) =>
      validThrough ? formatDay(validThrough) : <span className="text-muted">No offer yet</span>,
  },
  {
    key: "total",
    header: "Total",
    align: "end",
    cell: ({ totalCents, currency }) => (totalCents === null ? "" : formatMoney(totalCents, currency)),
  },
];
