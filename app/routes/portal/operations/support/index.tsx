import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData, useSearchParams } from "@remix-run/react";
import { findRequests, type RequestRow } from "#app/domain/support/answer.server.ts";
import { supportStatuses, topics } from "#app/domain/support/enums.ts";
import { requestFilter } from "#app/domain/support/request-filter.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { SupportBadge, supportWords, topicWords } from "#app/portal/components/support-badge.tsx";
import type { Column } from "#app/portal/components/table.tsx";
import { formatInstant } from "#app/portal/format.ts";
import { loadList } from "../list-loader.server.ts";
import { ListPage } from "../list-page.tsx";

export const meta: MetaFunction = () => [{ title: "Support · Operations · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => ({
  ...(await loadList(args, requestFilter, findRequests, requestRow)),
  choices: { statuses: supportStatuses, topics },
});

const requestRow = ({ createdAt: _, updatedAt, waitingSince, ...row }: RequestRow) => ({
  ...row,
  updatedAt: updatedAt.toISOString(),
  waitingSince: waitingSince.toISOString(),
});

const Requests = () => {
  const { choices, ...list } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const isFiltered = ["q", "status", "topic"].some((name) => search.get(name));
  return (
    <ListPage
      header={{ title: "Support", description: "Open requests first, longest waiting first." }}
      list={list}
      filters={{
        label: "Support requests",
        columns: "lg:grid-cols-[2fr_1fr_1fr_auto]",
        fields: [
          { kind: "search", name: "q", label: "Text, account or number" },
          {
            kind: "choice",
            name: "status",
            label: "Status",
            any: "Any status",
            options: choices.statuses.map((status) => ({ value: status, label: supportWords[status].operator })),
          },
          {
            kind: "choice",
            name: "topic",
            label: "Topic",
            any: "Any topic",
            options: choices.topics.map((topic) => ({ value: topic, label: topicWords[topic] })),
          },
        ],
      }}
      caption="Support requests"
      columns={columns}
      empty={
        isFiltered ? (
          <EmptyState
            icon="search"
            title="No request matches"
            action={<ButtonLink to="/operations/support">Show all requests</ButtonLink>}
          >
            Search for part of a subject, message or account name.
          </EmptyState>
        ) : (
          <EmptyState icon="check-circle" title="No requests yet">
            Requests appear here, and every operator gets an e-mail.
          </EmptyState>
        )
      }
    />
  );
};

export default Requests;

type Row = ReturnType<typeof requestRow>;

const Instant = ({ at }: { at: string }) => <span className="whitespace-nowrap">{formatInstant(at)}</span>;

const columns: Column<Row>[] = [
  {
    key: "subject",
    header: "Request",
    primary: true,
    cell: (row) => (
      <span className="grid gap-0.5">
        <Link to={`/operations/support/${row.id}`} prefetch="intent" className="link break-words">
          {row.subject}
        </Link>
        <span className="break-all font-normal text-[0.8125rem] text-muted">
          {row.id} · {row.username}
        </span>
      </span>
    ),
  },
  { key: "topic", header: "Topic", cell: (row) => topicWords[row.topic] },
  { key: "status", header: "Status", cell: (row) => <SupportBadge status={row.status} reader="operator" /> },
  {
    key: "since",
    header: "Waiting since",
    cell: (row) =>
      row.status === "open" ? <Instant at={row.waitingSince} /> : <span className="text-muted">Not waiting</span>,
  },
  { key: "updated", header: "Last change", cell: (row) => <Instant at={row.updatedAt} /> },
];
