import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData, useSearchParams } from "@remix-run/react";
import { findRequests } from "#app/domain/support/answer.server.ts";
import { supportStatuses, topics } from "#app/domain/support/enums.ts";
import { requestFilter } from "#app/domain/support/request-filter.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Pagination } from "#app/portal/components/pagination.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { SupportBadge, supportWords, topicWords } from "#app/portal/components/support-badge.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { formatInstant } from "#app/portal/format.ts";
import { searchByParams } from "#app/portal/search-params.server.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { ListFilters } from "../list-filters.tsx";

export const meta: MetaFunction = () => [{ title: "Support · Operations · Shipping Route Data Service" }];

const pageSize = 50;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const found = await searchByParams(args.request, requestFilter, ({ filter, cursor }) =>
    findRequests(ctx, caller, filter, { limit: pageSize, cursor }),
  );
  return {
    ...found,
    rows: found.rows.map(({ createdAt: _, updatedAt, waitingSince, ...row }) => ({
      ...row,
      updatedAt: updatedAt.toISOString(),
      waitingSince: waitingSince.toISOString(),
    })),
    choices: { statuses: supportStatuses, topics },
  };
};

const Requests = () => {
  const { rows, nextCursor, problem } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const isFiltered = ["q", "status", "topic"].some((name) => search.get(name));
  return (
    <div className="grid gap-6">
      <PageHeader title="Support" description="What waits for an answer first, longest waiting first." />
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      <Filters />
      <Card flush>
        <Table
          caption="Support requests"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          empty={
            isFiltered ? (
              <EmptyState
                icon="search"
                title="No request fits"
                action={<ButtonLink to="/operations/support">Show all requests</ButtonLink>}
              >
                A part of the subject, of a message, or of the account's name is enough.
              </EmptyState>
            ) : (
              <EmptyState icon="check-circle" title="Nobody has asked for anything">
                Requests of accounts appear here, and every operator gets a mail.
              </EmptyState>
            )
          }
        />
      </Card>
      <Pagination nextCursor={nextCursor} />
    </div>
  );
};

export default Requests;

const Filters = () => {
  const { choices, problem } = useLoaderData<typeof loader>();
  return (
    <ListFilters
      label="Support requests"
      names={["q", "status", "topic"]}
      columns="lg:grid-cols-[2fr_1fr_1fr_auto]"
      act="search"
    >
      {(value) => (
        <>
          <TextField
            name="q"
            label="Words, account or number"
            type="search"
            defaultValue={value("q")}
            error={errorOf(problem?.fields, "q")}
            autoComplete="off"
          />
          <SelectField
            name="status"
            label="Status"
            defaultValue={value("status")}
            options={[
              { value: "", label: "Any status" },
              ...choices.statuses.map((status) => ({ value: status, label: supportWords[status].operator })),
            ]}
          />
          <SelectField
            name="topic"
            label="Topic"
            defaultValue={value("topic")}
            options={[
              { value: "", label: "Any topic" },
              ...choices.topics.map((topic) => ({ value: topic, label: topicWords[topic] })),
            ]}
          />
        </>
      )}
    </ListFilters>
  );
};

type Row = ReturnType<typeof useLoaderData<typeof loader>>["rows"][number];

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
