import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { dayOf, daysBetween } from "../../../domain/dates.ts";
import { listSubscriptions } from "../../../domain/subscriptions/list.server.ts";
import { ButtonLink } from "../../../portal/components/button.tsx";
import { Card } from "../../../portal/components/card.tsx";
import { EmptyState } from "../../../portal/components/empty-state.tsx";
import { PageHeader } from "../../../portal/components/page-header.tsx";
import { StatusBadge } from "../../../portal/components/status-badge.tsx";
import { type Column, Table } from "../../../portal/components/table.tsx";
import { formatCount, formatDay, formatMoney, formatWord } from "../../../portal/format.ts";
import { visitOfMember } from "../../../portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Subscriptions · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const today = dayOf(ctx.clock.now());
  const all = await listSubscriptions(ctx, caller);
  const rows = all.map((row) => ({
    id: row.id,
    routeId: row.routeId,
    routeName: row.routeName,
    routeCode: row.routeCode,
    term: row.term,
    status: row.status,
    endDate: row.endDate,
    daysLeft: Math.max(0, daysBetween(today, row.endDate)),
    nextCharge: row.nextCharge,
  }));
  return {
    running: rows.filter(({ status }) => status !== "expired"),
    ended: rows.filter(({ status }) => status === "expired"),
  };
};

type Row = ReturnType<typeof useLoaderData<typeof loader>>["running"][number];

const Subscriptions = () => {
  const { running, ended } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Subscriptions"
        description="What you can read, until when, and what will be charged next."
        actions={
          <ButtonLink to="/routes" variant="primary" icon="plus">
            Subscribe to a route
          </ButtonLink>
        }
      />
      <Card title="Running" flush>
        <Table
          caption="Running subscriptions"
          columns={columns}
          rows={running}
          rowKey={(row) => row.id}
          empty={
            <EmptyState
              icon="layers"
              title="Nothing is running"
              action={<ButtonLink to="/routes">Find a route</ButtonLink>}
            >
              Subscribe to a route and its data appears here, and in the API.
            </EmptyState>
          }
        />
      </Card>
      {ended.length > 0 ? (
        <Card title="Ended" description="Subscribing again restores access at once." flush>
          <Table caption="Ended subscriptions" columns={columns} rows={ended} rowKey={(row) => row.id} />
        </Card>
      ) : null}
    </div>
  );
};

export default Subscriptions;

const columns: Column<Row>[] = [
  {
    key: "route",
    header: "Route",
    primary: true,
    cell: (row) => (
      <span className="grid gap-0.5">
        <Link
          to={`/routes/${row.routeId}`}
          prefetch="intent"
          className="font-semibold hover:text-accent hover:underline"
        >
          {row.routeName}
        </Link>
        <span className="font-mono font-normal text-muted text-xs">{row.routeCode}</span>
      </span>
    ),
  },
  { key: "status", header: "Status", cell: (row) => <StatusBadge status={row.status} /> },
  { key: "term", header: "Term", cell: (row) => formatWord(row.term) },
  {
    key: "ends",
    header: "Ends",
    cell: (row) => (
      <span className="grid">
        {formatDay(row.endDate)}
        {row.status === "expired" ? null : (
          <span className="text-muted text-xs">{formatCount(row.daysLeft, "day")} left</span>
        )}
      </span>
    ),
  },
  {
    key: "next",
    header: "Next charge",
    align: "end",
    cell: (row) =>
      row.nextCharge ? (
        <span className="grid">
          {formatMoney(row.nextCharge.amountCents)}
          <span className="text-muted text-xs">on {formatDay(row.nextCharge.date)}</span>
        </span>
      ) : (
        <span className="text-muted">None</span>
      ),
  },
  {
    key: "manage",
    header: "Manage",
    quietHeader: true,
    align: "end",
    cell: (row) => (
      <ButtonLink to={`/subscriptions/${row.id}`} size="small" aria-label={`Manage ${row.routeName}`}>
        {row.status === "expired" ? "Renew" : "Manage"}
      </ButtonLink>
    ),
  },
];
