import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData } from "@remix-run/react";
import { listLate, listPeriodsOf, type ManagedPeriod } from "#app/domain/catalogue/late-data.server.ts";
import { unstorableIn } from "#app/domain/input.ts";
import { Badge } from "#app/portal/components/badge.tsx";
import { Button } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { formatCount, formatDay, formatInstant, formatWord } from "#app/portal/format.ts";
import { nonEmptyParams } from "#app/portal/search-params.server.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Periods · Operations · Shipping Route Data Service" }];

const shown = 100;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const { route = "" } = nonEmptyParams(new URL(args.request.url).searchParams);
  if (route === "") {
    const { rows, total } = await listLate(ctx, caller, { limit: shown });
    return { routeCode: null, rows: rows.map(rowOf), total };
  }
  // Text that the database cannot store is no route's code.
  const rows = unstorableIn(route) ? [] : await listPeriodsOf(ctx, caller, { routeCode: route });
  return { routeCode: route.toWellFormed(), rows: rows.map(rowOf), total: rows.length };
};

const rowOf = ({
  id,
  name,
  startsOn,
  endsOn,
  freshness,
  route,
  dataAsOf,
  nextUpdateDue,
  ...period
}: ManagedPeriod) => ({
  id,
  name,
  startsOn,
  endsOn,
  freshness,
  route,
  dataAsOf: dataAsOf?.toISOString() ?? null,
  nextUpdateDue: nextUpdateDue?.toISOString() ?? null,
  isStale: period.isStale,
  isRetired: period.retiredAt !== null,
});

const Periods = () => {
  const { routeCode, rows, total } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title={routeCode === null ? "Late data" : `Periods of ${routeCode}`}
        description={
          routeCode === null
            ? "Periods whose next observation is overdue, longest first. Subscribers see that their data is late."
            : "All periods of the route, newest first."
        }
      />
      <Form method="get" role="search" aria-label="Periods" className="flex flex-wrap items-end gap-4">
        <TextField
          name="route"
          label="Route code"
          defaultValue={routeCode ?? ""}
          hint="Leave empty for late data of all routes"
        />
        <Button icon="filter">Show</Button>
      </Form>
      <Card flush>
        <Table
          caption={routeCode === null ? "Late data" : "Periods"}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          empty={
            routeCode === null ? (
              <EmptyState icon="check-circle" title="No data is late">
                All open periods are up to date.
              </EmptyState>
            ) : (
              <EmptyState icon="route" title="No such route">
                The code must match exactly.
              </EmptyState>
            )
          }
        />
      </Card>
      {total > rows.length ? (
        <p className="text-[0.8125rem] text-muted">
          The first {rows.length} of {formatCount(total, "late period")}.
        </p>
      ) : null}
    </div>
  );
};

export default Periods;

type Row = ReturnType<typeof useLoaderData<typeof loader>>["rows"][number];

const columns: Column<Row>[] = [
  {
    key: "period",
    header: "Period",
    primary: true,
    cell: (row) => (
      <span className="grid gap-0.5">
        <Link to={`/operations/periods/${row.id}`} prefetch="intent" className="link">
          {row.route.name}, {row.name}
        </Link>
        <span className="font-normal text-[0.8125rem] text-muted">
          {row.route.code} · since {formatDay(row.startsOn)}
          {row.endsOn === null ? "" : `, until ${formatDay(row.endsOn)}`}
        </span>
      </span>
    ),
  },
  { key: "freshness", header: "Data", cell: (row) => formatWord(row.freshness) },
  {
    key: "as-of",
    header: "As of",
    cell: (row) => (row.dataAsOf === null ? <span className="text-muted">None yet</span> : formatInstant(row.dataAsOf)),
  },
  {
    key: "due",
    header: "Update due",
    cell: (row) => (
      <span className="grid justify-items-start gap-1">
        {row.nextUpdateDue === null ? (
          <span className="text-muted">Not any more</span>
        ) : (
          formatInstant(row.nextUpdateDue)
        )}
        {row.isStale ? (
          <Badge tone="danger" dot>
            Late
          </Badge>
        ) : null}
        {row.isRetired ? <Badge tone="warning">Retired</Badge> : null}
      </span>
    ),
  },
];
