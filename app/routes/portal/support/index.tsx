import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { listRequests } from "#app/domain/support/ask.server.ts";
import { supportStatuses } from "#app/domain/support/enums.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SupportBadge, supportWords, topicWords } from "#app/portal/components/support-badge.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { Tabs } from "#app/portal/components/tabs.tsx";
import { formatInstant } from "#app/portal/format.ts";
import { visitOfMember } from "#app/portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Support · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const all = await listRequests(ctx, caller);
  const requested = new URL(args.request.url).searchParams.get("status");
  const status = supportStatuses.find((each) => each === requested) ?? null;
  return {
    status,
    requests: all
      .filter((request) => status === null || request.status === status)
      .map(({ createdAt, updatedAt, ...request }) => ({
        ...request,
        createdAt: createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
      })),
    tabs: [
      { status: null, count: all.length },
      ...supportStatuses.map((each) => ({ status: each, count: all.filter((one) => one.status === each).length })),
    ],
  };
};

const Support = () => {
  const { status, requests, tabs } = useLoaderData<typeof loader>();
  const isNew = tabs[0]?.count === 0;
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Support"
        description="Every account can ask. We reply by e-mail and here."
        actions={
          isNew ? undefined : (
            <ButtonLink to="/support/new" variant="primary" icon="plus">
              New request
            </ButtonLink>
          )
        }
      />
      {isNew ? null : (
        <Tabs
          label="Requests by status"
          tabs={tabs.map((tab) => ({
            label: tab.status === null ? "All" : supportWords[tab.status].holder,
            to: tab.status === null ? "/support" : `/support?status=${tab.status}`,
            current: tab.status === status,
            count: tab.count,
          }))}
        />
      )}
      <Card flush>
        <Table
          caption="Support requests"
          columns={columns}
          rows={requests}
          rowKey={(row) => row.id}
          empty={isNew ? <NoRequestsYet /> : <NoMatches />}
        />
      </Card>
    </div>
  );
};

export default Support;

const NoRequestsYet = () => (
  <EmptyState
    icon="mail"
    title="How can we help?"
    action={
      <>
        <ButtonLink to="/docs">Read the documentation</ButtonLink>
        <ButtonLink to="/support/new" variant="primary">
          Contact support
        </ButtonLink>
      </>
    }
  >
    <p>
      You may find an answer under{" "}
      <Link to="/docs/errors" className="link">
        errors
      </Link>{" "}
      and{" "}
      <Link to="/docs/rate-limits" className="link">
        rate limits
      </Link>
      . When you write to us, include:
    </p>
    <ul className="mx-auto mt-3 grid w-fit list-disc gap-1 pl-5 text-left">
      <li>what you did, what you expected and what happened</li>
      <li>
        the request ID, from <code className="font-mono text-ink">X-Request-Id</code> or from the error
      </li>
      <li>the route code or the invoice number</li>
      <li>no passwords and no API keys</li>
    </ul>
  </EmptyState>
);

const NoMatches = () => (
  <EmptyState
    icon="check-circle"
    title="No requests with this status"
    action={<ButtonLink to="/support">All requests</ButtonLink>}
  />
);

type Row = ReturnType<typeof useLoaderData<typeof loader>>["requests"][number];

const columns: Column<Row>[] = [
  {
    key: "subject",
    header: "Subject",
    primary: true,
    cell: (row) => (
      <Link
        to={`/support/${row.id}`}
        prefetch="intent"
        className="break-words font-semibold text-ink hover:text-accent hover:underline"
      >
        {row.subject}
      </Link>
    ),
  },
  { key: "number", header: "Number", cell: (row) => row.id, desktopOnly: true },
  { key: "topic", header: "Topic", cell: (row) => topicWords[row.topic] },
  { key: "status", header: "Status", cell: (row) => <SupportBadge status={row.status} reader="holder" /> },
  { key: "updated", header: "Updated", cell: (row) => formatInstant(row.updatedAt) },
];
