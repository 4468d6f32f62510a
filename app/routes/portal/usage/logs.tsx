import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData, useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import type { Caller } from "#app/domain/accounts/caller.ts";
import type { Context } from "#app/domain/context.ts";
import { planLimits, storageInWords } from "#app/domain/plans/plans.ts";
import { recentlyUsed } from "#app/domain/usage/breakdown.server.ts";
import { exportLimitRows, listLogs } from "#app/domain/usage/logs.server.ts";
import { Button, ButtonLink, Link } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Pagination } from "#app/portal/components/pagination.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { Small } from "#app/portal/components/small.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { formatBytes, formatDuration, formatNumber, formatSecond } from "#app/portal/format.ts";
import { nonEmptyParams, orSearchProblem } from "#app/portal/search-params.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { type Choice, choicesOf } from "./choices.ts";
import { HttpStatus, statusNames } from "./http-status.tsx";
import { readLogFilter } from "./log-filter.ts";
import { inField } from "./log-times.ts";

export const meta: MetaFunction = () => [{ title: "Request log · Shipping Route Data Service" }];

const pageSize = 50;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const [found, known] = await Promise.all([
    find(ctx, caller, nonEmptyParams(new URL(args.request.url).searchParams)),
    recentlyUsed(ctx, caller),
  ]);
  return { ...found, ...known, storageDays: planLimits[caller.account.plan].storageDays, exportLimitRows };
};

const find = (ctx: Context, caller: Caller, params: Record<string, string>) =>
  orSearchProblem(async () => {
    const page = await listLogs(ctx, caller, readLogFilter(params), { limit: pageSize, cursor: params.cursor });
    return { ...page, rows: page.rows.map((row) => ({ ...row, occurredAt: row.occurredAt.toISOString() })) };
  });

const Logs = () => {
  const { rows, nextCursor, storageDays, problem, exportLimitRows } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filter = new URLSearchParams([...search].filter(([name, value]) => name !== "cursor" && value !== ""));
  const isFiltered = filter.size > 0;
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[{ label: "Usage", to: "/usage" }]}
        title="Request log"
        description={`Every authenticated API request, newest first. Your plan keeps requests ${storageInWords(storageDays)}.`}
        actions={
          rows.length > 0 ? (
            <ButtonLink to={`/usage/logs.csv?${filter}`} icon="download" reloadDocument prefetch="none">
              Download CSV
            </ButtonLink>
          ) : null
        }
      />
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      <Filters key={filter.toString()} />
      <Card flush>
        <Table
          caption="Requests"
          narrow
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          empty={problem ? <InvalidFilters /> : isFiltered ? <NoMatches /> : <NoRequests />}
        />
      </Card>
      <Pagination nextCursor={nextCursor} />
      {rows.length > 0 ? (
        <p className="text-[0.8125rem] text-muted">
          The CSV file has up to {formatNumber(exportLimitRows)} requests that match the filters, newest first. The API
          has the same log at <code className="font-mono">GET /api-usage-logs</code>.
        </p>
      ) : null}
    </div>
  );
};

export default Logs;

/** Classes first, as people look for errors rather than for one status. */
const statusChoices: readonly Choice[] = [
  { value: "2xx", label: "2xx Success" },
  { value: "4xx", label: "4xx Client errors" },
  { value: "5xx", label: "5xx Server errors" },
  ...Object.entries(statusNames).map(([value, label]) => ({ value, label })),
];

const Filters = () => {
  const { endpoints, keys, problem } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const field = (name: string) => ({
    name,
    defaultValue: search.get(name) ?? "",
    error: errorOf(problem?.fields, name),
  });
  const time = (name: string) => ({ ...field(name), defaultValue: inField(search.get(name)) });
  const isFiltered = [...search].some(([name, value]) => name !== "cursor" && value !== "");
  return (
    <Form
      method="get"
      role="search"
      aria-label="Requests"
      className="grid grid-cols-2 items-start gap-4 rounded-xl border border-line bg-surface p-4 shadow-card sm:p-5 lg:grid-cols-3"
    >
      <SelectField
        label="Status"
        {...field("status")}
        options={choicesOf("Any status", statusChoices, search.get("status"))}
      />
      <SelectField
        label="Endpoint"
        {...field("endpoint")}
        options={choicesOf(
          "Any endpoint",
          endpoints.map((value) => ({ value, label: value })),
          search.get("endpoint"),
        )}
      />
      <SelectField
        label="Key"
        {...field("api_key_id")}
        options={choicesOf(
          "Any key or token",
          keys.map(({ id, name }) => ({ value: String(id), label: name })),
          search.get("api_key_id"),
        )}
      />
      <TextField label="Route ID" {...field("route_id")} inputMode="numeric" placeholder="Any" autoComplete="off" />
      <div className="max-sm:col-span-2">
        <TextField label="From (UTC)" {...time("from")} type="datetime-local" />
      </div>
      <div className="max-sm:col-span-2">
        <TextField label="Before (UTC)" {...time("to")} type="datetime-local" />
      </div>
      <div className="col-span-full">
        <TextField
          label="Request ID"
          hint="From the X-Request-Id header or an error message."
          {...field("request_id")}
          placeholder="Any"
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <div className="col-span-full flex flex-wrap items-center gap-4">
        <Button type="submit" variant="primary" icon="filter">
          Apply filters
        </Button>
        {isFiltered ? (
          <Link to="/usage/logs" className="link text-sm">
            Clear filters
          </Link>
        ) : null}
      </div>
    </Form>
  );
};

const InvalidFilters = () => (
  <EmptyState icon="filter" title="Some filters are invalid" action={<ClearFilters />}>
    Fix the fields marked above, or clear the filters.
  </EmptyState>
);

const NoMatches = () => (
  <EmptyState icon="search" title="No matching requests" action={<ClearFilters />}>
    Try a longer time range or fewer filters. Requests with wrong credentials belong to no account and are not logged
    here.
  </EmptyState>
);

const ClearFilters = () => <ButtonLink to="/usage/logs">Show all requests</ButtonLink>;

const NoRequests = () => (
  <EmptyState
    icon="chart"
    title="No requests yet"
    action={
      <ButtonLink to="/api-keys" variant="primary" icon="key">
        Create an API key
      </ButtonLink>
    }
  >
    Your programs' requests appear here as soon as we respond.
  </EmptyState>
);

type Row = ReturnType<typeof useLoaderData<typeof loader>>["rows"][number];

const columns: Column<Row>[] = [
  {
    key: "time",
    header: "Time (UTC)",
    primary: true,
    cell: (row) => (
      <>
        <Link
          to={`/usage/requests/${row.requestId}`}
          prefetch="intent"
          aria-label={`Request of ${formatSecond(row.occurredAt)}: ${row.method} ${row.endpoint}`}
          className="link"
        >
          <time dateTime={row.occurredAt} className="max-sm:hidden sm:whitespace-nowrap">
            {formatSecond(row.occurredAt)}
          </time>
          <span className="font-mono font-normal text-[0.8125rem] [overflow-wrap:anywhere] sm:hidden">
            {row.method} {row.endpoint}
          </span>
        </Link>
        <Small phone>
          <time dateTime={row.occurredAt}>{formatSecond(row.occurredAt)}</time>
        </Small>
        <Small phone>
          <KeyName row={row} />
          {row.routeId === null ? null : (
            <>
              , <RouteLink id={row.routeId}>route {row.routeId}</RouteLink>
            </>
          )}
        </Small>
      </>
    ),
  },
  {
    key: "request",
    header: "Request",
    desktopOnly: true,
    cell: (row) => (
      <span className="grid gap-0.5">
        <span className="font-mono text-[0.8125rem]">
          {row.method} {row.endpoint}
        </span>
        <span className="font-mono text-muted text-xs">{row.requestId}</span>
      </span>
    ),
  },
  {
    key: "status",
    header: "Status",
    cell: (row) => <HttpStatus status={row.status} short />,
  },
  { key: "key", header: "Key", desktopOnly: true, cell: (row) => <KeyName row={row} /> },
  {
    key: "route",
    header: "Route",
    align: "end",
    desktopOnly: true,
    cell: (row) =>
      row.routeId === null ? (
        <span className="text-muted">None</span>
      ) : (
        <RouteLink id={row.routeId}>{row.routeId}</RouteLink>
      ),
  },
  {
    key: "duration",
    header: "Duration",
    align: "end",
    cell: (row) => (
      <>
        {formatDuration(row.durationMs)}
        <Small phone>{formatBytes(row.responseBytes)}</Small>
      </>
    ),
  },
  {
    key: "size",
    header: "Size",
    align: "end",
    desktopOnly: true,
    cell: (row) => (
      <>
        {formatBytes(row.responseBytes)}
        {row.requestCost > 1 ? <Small>counts as {formatNumber(row.requestCost)}</Small> : null}
      </>
    ),
  },
];

const RouteLink = ({ id, children }: { id: number; children: ReactNode }) => (
  <Link to={`/routes/${id}`} className="link" aria-label={`Route ${id}`}>
    {children}
  </Link>
);

const KeyName = ({ row }: { row: Row }) =>
  row.apiKeyName === null ? (
    <span className="text-muted">{row.apiKeyId ? "Deleted key" : "Bearer token"}</span>
  ) : (
    row.apiKeyName
  );
