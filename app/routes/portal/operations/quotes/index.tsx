import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData, useSearchParams } from "@remix-run/react";
import { quoteStatuses } from "#app/domain/quotes/enums.ts";
import { findQuotes, type QuoteRow } from "#app/domain/quotes/offer.server.ts";
import { quoteFilter } from "#app/domain/quotes/quote-filter.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { QuoteBadge, quoteWords } from "#app/portal/components/quote-badge.tsx";
import type { Column } from "#app/portal/components/table.tsx";
import { formatCount, formatDay, formatInstant, formatMoney } from "#app/portal/format.ts";
import { loadList } from "../list-loader.server.ts";
import { ListPage } from "../list-page.tsx";

export const meta: MetaFunction = () => [{ title: "Quotes · Operations · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => ({
  ...(await loadList(args, quoteFilter, findQuotes, quoteRow)),
  statuses: quoteStatuses,
});

const quoteRow = ({ id, username, accountId, state, routes, totalCents, currency, requestedAt, offer }: QuoteRow) => ({
  id,
  username,
  accountId,
  state,
  routes,
  totalCents,
  currency,
  requestedAt: requestedAt.toISOString(),
  offer: offer && { discountPercent: offer.discountPercent, validThrough: offer.validThrough },
});

const Quotes = () => {
  const { statuses, ...list } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const isFiltered = ["q", "status"].some((name) => search.get(name));
  return (
    <ListPage
      header={{ title: "Quotes", description: "Unanswered requests first, then newest first." }}
      list={list}
      filters={{
        label: "Quotes",
        columns: "lg:grid-cols-[2fr_1fr_auto]",
        fields: [
          { kind: "search", name: "q", label: "Account or number" },
          {
            kind: "choice",
            name: "status",
            label: "Status",
            any: "Any status",
            options: statuses.map((status) => ({ value: status, label: quoteWords[status].operator })),
          },
        ],
      }}
      caption="Quotes"
      columns={columns}
      empty={
        isFiltered ? (
          <EmptyState
            icon="search"
            title="No quote matches"
            action={<ButtonLink to="/operations/quotes">Show all quotes</ButtonLink>}
          >
            Search for part of an account name, or a quote number.
          </EmptyState>
        ) : (
          <EmptyState icon="check-circle" title="No quotes yet">
            Requests appear here, and every operator gets an e-mail.
          </EmptyState>
        )
      }
    />
  );
};

export default Quotes;

type Row = ReturnType<typeof quoteRow>;

const columns: Column<Row>[] = [
  {
    key: "quote",
    header: "Quote",
    primary: true,
    cell: ({ id, username }) => (
      <span className="grid gap-0.5">
        <Link to={`/operations/quotes/${id}`} prefetch="intent" className="link">
          Quote {id}
        </Link>
        <span className="break-all font-normal text-[0.8125rem] text-muted">{username}</span>
      </span>
    ),
  },
  { key: "routes", header: "Order", cell: ({ routes }) => formatCount(routes, "route") },
  { key: "state", header: "State", cell: ({ state }) => <QuoteBadge state={state} reader="operator" /> },
  { key: "requested", header: "Requested", cell: ({ requestedAt }) => formatInstant(requestedAt) },
  {
    key: "offer",
    header: "Offer",
    cell: ({ offer }) =>
      offer ? (
        `${offer.discountPercent}%, last day ${formatDay(offer.validThrough)}`
      ) : (
        <span className="text-muted">None</span>
      ),
  },
  {
    key: "total",
    header: "Total",
    align: "end",
    cell: ({ totalCents, currency }) => formatMoney(totalCents, currency),
  },
];
