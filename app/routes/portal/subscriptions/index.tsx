import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData, useSubmit } from "@remix-run/react";
import { dayOf, daysBetween } from "#app/domain/dates.ts";
import { listSubscriptions } from "#app/domain/subscriptions/list.server.ts";
import { Button, ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { RouteLine } from "#app/portal/components/route-line.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { Stat, Stats } from "#app/portal/components/stat.tsx";
import { StatusBadge } from "#app/portal/components/status-badge.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { Tabs } from "#app/portal/components/tabs.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { formatCount, formatDay, formatMoney, formatNumber, formatWord } from "#app/portal/format.ts";
import { routeFacts } from "#app/portal/route-facts.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { countsOf, outlookOf, selected } from "./select.ts";

export const meta: MetaFunction = () => [{ title: "Subscriptions · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const today = dayOf(ctx.clock.now());
  const all = await listSubscriptions(ctx, caller);
  const factsOf = await routeFacts(
    ctx,
    all.map(({ routeId }) => routeId),
  );
  const rows = all.map((row) => ({
    id: row.id,
    routeId: row.routeId,
    routeName: row.routeName,
    routeCode: row.routeCode,
    ...factsOf(row.routeId),
    term: row.term,
    status: row.status,
    endDate: row.endDate,
    daysLeft: Math.max(0, daysBetween(today, row.endDate)),
    nextCharge: row.nextCharge,
  }));
  const params = Object.fromEntries(new URL(args.request.url).searchParams);
  return { ...selected(rows, params), counts: countsOf(rows), outlook: outlookOf(rows, today) };
};

type Row = ReturnType<typeof useLoaderData<typeof loader>>["running"][number];

const Subscriptions = () => {
  const { running, ended, counts, status, isNarrowed } = useLoaderData<typeof loader>();
  const columns = status === "expired" ? endedColumns : runningColumns;
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Subscriptions"
        description="What you can read, until when, and what will be charged next."
        actions={
          counts.all > 0 ? (
            <ButtonLink to="/routes" variant="primary" icon="plus">
              Subscribe to a route
            </ButtonLink>
          ) : undefined
        }
      />
      {counts.all > 0 ? (
        <>
          <Outlook />
          <Filters />
        </>
      ) : (
        <Card>
          <NoSubscriptions />
        </Card>
      )}
      {status === "expired" || counts.all === 0 ? null : (
        <Card title="Running" flush>
          <Table
            caption="Running subscriptions"
            columns={columns}
            rows={running}
            rowKey={(row) => row.id}
            empty={isNarrowed ? <NoMatches /> : <NoneRunning />}
          />
        </Card>
      )}
      {ended.length > 0 || status === "expired" ? (
        <Card title="Ended" description="Subscribing again restores access at once." flush>
          <Table
            caption="Ended subscriptions"
            columns={endedColumns}
            rows={ended}
            first={{ rows: isNarrowed ? ended.length : 10, noun: "ended subscriptions" }}
            rowKey={(row) => row.id}
            empty={<NoMatches />}
          />
        </Card>
      ) : null}
    </div>
  );
};

export default Subscriptions;

/** Upcoming charges and expirations. */
const Outlook = () => {
  const { counts, outlook } = useLoaderData<typeof loader>();
  const running = counts.active + counts.expiring_soon + counts.cancelled;
  return (
    <Stats>
      <Stat
        label="Running"
        value={formatNumber(running)}
        note={counts.expired > 0 ? `and ${formatNumber(counts.expired)} ended` : undefined}
      />
      <Stat
        label={`Renewed within ${outlook.days} days`}
        value={formatNumber(outlook.renewals)}
        note={outlook.renewals > 0 ? `${formatMoney(outlook.renewalCents)} in total` : undefined}
      />
      <Stat
        label={`Ending within ${outlook.days} days`}
        value={formatNumber(outlook.ending)}
        note={outlook.ending > 0 ? "not renewed: access ends" : undefined}
      />
      <Stat
        label="Next charge"
        value={outlook.next ? formatMoney(outlook.next.amountCents) : "None"}
        note={outlook.next ? `on ${formatDay(outlook.next.date)}` : undefined}
      />
    </Stats>
  );
};

/** Tabs for the status; longer lists also get a search and a sort order. */
const Filters = () => {
  const { counts, status, q, sort } = useLoaderData<typeof loader>();
  const submit = useSubmit();
  const to = (value: string | null) =>
    `?${new URLSearchParams({ ...(value ? { status: value } : {}), ...(q ? { q } : {}), ...(sort === "end" ? {} : { sort }) })}`;
  return (
    <div className="grid gap-4">
      <Tabs
        label="By status"
        tabs={[
          { label: "All", to: to(null), current: status === null, count: counts.all },
          ...(["active", "expiring_soon", "cancelled", "expired"] as const)
            .filter((value) => counts[value] > 0 || value === status)
            .map((value) => ({
              label: value === "expired" ? "Ended" : formatWord(value),
              to: to(value),
              current: value === status,
              count: counts[value],
            })),
        ]}
      />
      {counts.all > maxUnfiltered ? (
        <Form
          method="get"
          role="search"
          aria-label="Subscriptions"
          className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3 sm:grid-cols-[minmax(0,24rem)_12rem_auto]"
        >
          {status ? <input type="hidden" name="status" value={status} /> : null}
          <div className="max-sm:col-span-2">
            <TextField name="q" type="search" label="Search" placeholder="Port, carrier or code" defaultValue={q} />
          </div>
          <div onChange={(event) => submit(formOf(event.target))}>
            <SelectField
              name="sort"
              label="Order"
              defaultValue={sort}
              options={Object.entries(sortings).map(([value, label]) => ({ value, label }))}
            />
          </div>
          <Button icon="search" className="justify-self-start">
            Search
          </Button>
        </Form>
      ) : null}
    </div>
  );
};

/** Lists up to this length need no search. */
const maxUnfiltered = 5;

const sortings = { end: "Ends soonest", charge: "Charged soonest", route: "Route" };

const formOf = (target: EventTarget) => (target instanceof HTMLSelectElement ? target.form : null);

const NoSubscriptions = () => (
  <EmptyState
    icon="layers"
    title="No subscriptions yet"
    action={
      <>
        <ButtonLink to="/routes" variant="primary" icon="search">
          Find a route
        </ButtonLink>
        <ButtonLink to="/docs">How the data is read</ButtonLink>
      </>
    }
  >
    Choose a route and a term, from one month on. Its schedules, transit times, rates and capacity open at once, here
    and by API.
  </EmptyState>
);

const NoneRunning = () => (
  <EmptyState icon="layers" title="Nothing is running" action={<ButtonLink to="/routes">Find a route</ButtonLink>}>
    What has ended stands below, and can be renewed there.
  </EmptyState>
);

const NoMatches = () => (
  <EmptyState icon="search" title="No subscription fits" action={<ButtonLink to="/subscriptions">Show all</ButtonLink>}>
    Try another status, or fewer words.
  </EmptyState>
);

const runningColumns: Column<Row>[] = [
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
        <RouteLine {...row} />
      </span>
    ),
  },
  { key: "status", header: "Status", cell: (row) => <StatusBadge status={row.status} /> },
  { key: "term", header: "Term", desktopOnly: true, cell: (row) => formatWord(row.term) },
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
        <span className="text-muted">Does not renew</span>
      ),
  },
  {
    key: "manage",
    header: "Manage",
    quietHeader: true,
    align: "end",
    cell: (row) => (
      <ButtonLink
        to={`/subscriptions/${row.id}`}
        size="small"
        aria-label={`${row.status === "expired" ? "Renew" : "Manage"} ${row.routeName}, ${row.routeCode}`}
      >
        {row.status === "expired" ? "Renew" : "Manage"}
      </ButtonLink>
    ),
  },
];

/** Ended subscriptions have no next charge. */
const endedColumns = runningColumns.filter(({ key }) => key !== "next");
