import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData, useLocation, useSubmit } from "@remix-run/react";
import { useState } from "react";
import { watchesOfRoutes } from "#app/domain/alerts/watchlist.server.ts";
import { dayOf, daysBetween, lastDayOf } from "#app/domain/dates.ts";
import { listSubscriptions } from "#app/domain/subscriptions/list.server.ts";
import { isAutoRenewalOn } from "#app/domain/subscriptions/renewal.ts";
import { Badge } from "#app/portal/components/badge.tsx";
import { Button, ButtonLink, Link } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { PastDueAlert } from "#app/portal/components/past-due-alert.tsx";
import { RouteLine } from "#app/portal/components/route-line.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { Stat, Stats } from "#app/portal/components/stat.tsx";
import { StatusBadge } from "#app/portal/components/status-badge.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { Tabs } from "#app/portal/components/tabs.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { WatchButton, WatchForm } from "#app/portal/components/watch-button.tsx";
import { formatCount, formatDay, formatMoney, formatNumber, formatWord } from "#app/portal/format.ts";
import { pastDueOf } from "#app/portal/past-due.ts";
import { routeFacts } from "#app/portal/route-facts.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import {
  choiceOf,
  countsOf,
  type Group,
  groupsOf,
  isNarrowed,
  outlookDays,
  outlookOf,
  paramsOf,
  statusTitle,
} from "./select.ts";

export const meta: MetaFunction = () => [{ title: "Subscriptions · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const today = dayOf(ctx.clock.now());
  const all = await listSubscriptions(ctx, caller);
  const routeIds = all.map(({ routeId }) => routeId);
  const [factsOf, watches] = await Promise.all([routeFacts(ctx, routeIds), watchesOfRoutes(ctx, caller, routeIds)]);
  const rows = all.map((row) => ({
    id: row.id,
    routeId: row.routeId,
    routeName: row.routeName,
    routeCode: row.routeCode,
    ...factsOf(row.routeId),
    term: row.term,
    status: row.status,
    autoRenew: isAutoRenewalOn(row),
    endDate: row.endDate,
    daysLeft: Math.max(0, daysBetween(today, row.endDate)),
    nextCharge: row.nextCharge,
    needsCard: row.renewal.needsCard,
    pastDue: pastDueOf(row),
    watchId: watches.get(row.routeId) ?? null,
  }));
  const search = new URL(args.request.url).searchParams;
  const select = search.get("select");
  const ticked = new Set(select === "none" ? [] : search.getAll("id"));
  const isTicked = ({ id }: { id: number }) => select === "all" || ticked.has(String(id));
  const choice = choiceOf(Object.fromEntries(search));
  return {
    choice,
    groups: groupsOf(
      rows.map((row) => ({ ...row, isTicked: isTicked(row) })),
      choice,
    ),
    act: search.get("act") ?? undefined,
    counts: countsOf(rows),
    outlook: outlookOf(rows, today),
    pastDue: rows.flatMap(({ pastDue }) => pastDue ?? []),
  };
};

type Row = ReturnType<typeof useLoaderData<typeof loader>>["groups"][number]["rows"][number];

const Subscriptions = () => {
  const { pastDue, counts } = useLoaderData<typeof loader>();
  const { key } = useLocation();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Subscriptions"
        description="Your routes, their last day with access, and your next charges."
        actions={
          counts.all > 0 ? (
            <>
              <ButtonLink to="/download" icon="download">
                Download data
              </ButtonLink>
              <ButtonLink to="/market" icon="chart">
                Compare with the market
              </ButtonLink>
              <ButtonLink to="/routes" variant="primary" icon="plus">
                Subscribe to a route
              </ButtonLink>
            </>
          ) : undefined
        }
      />
      {pastDue.map((renewal) => (
        <PastDueAlert key={renewal.subscriptionId} renewal={renewal} named />
      ))}
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
      {counts.all > 0 ? <WatchForm back="/subscriptions" /> : null}
      {counts.all > 0 ? <Lists key={key} /> : null}
    </div>
  );
};

export default Subscriptions;

/**
 * The lists, in a form for acts on several subscriptions. It is a GET form: its page asks for confirmation. Selecting all or
 * none comes back to the list, with the act that was chosen.
 */
const Lists = () => {
  const { groups, choice } = useLoaderData<typeof loader>();
  const all = groups.flatMap(({ rows }) => rows);
  const [ticked, setTicked] = useState(all.filter(({ isTicked }) => isTicked).length);
  if (all.length === 0) {
    return (
      <Card>
        <NoMatches />
      </Card>
    );
  }
  return (
    <Form
      method="get"
      action="/subscriptions/bulk"
      className="grid gap-4"
      onChange={({ currentTarget }) => setTicked(new FormData(currentTarget).getAll("id").length)}
    >
      {Object.entries(paramsOf(choice)).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {all.length > 1 ? <BulkBar count={all.length} ticked={ticked} /> : null}
      {choice.group === null && choice.status === null && groups[0]?.title === "Ended" && !isNarrowed(choice) ? (
        <Card>
          <NoneActive />
        </Card>
      ) : null}
      {groups.map((group) => (
        <GroupCard key={group.title} {...group} />
      ))}
    </Form>
  );
};

const GroupCard = ({ title, rows }: Group<Row>) => {
  const { choice } = useLoaderData<typeof loader>();
  const isEnded = rows.every(({ status }) => status === "expired");
  return (
    <Card title={title} description={isEnded ? "Renew to get access again." : upcomingInWords(rows)} flush>
      <Table
        caption={`${title} subscriptions`}
        columns={isEnded ? endedColumns : runningColumns}
        rows={rows}
        {...(isEnded ? { first: { rows: isNarrowed(choice) ? rows.length : 10, noun: "ended subscriptions" } } : {})}
        rowKey={(row) => row.id}
      />
    </Card>
  );
};

/** `4 subscriptions, $2,160.00 due in the next charges`. */
const upcomingInWords = (rows: readonly Row[]): string => {
  const dueCents = rows.reduce((sum, { nextCharge }) => sum + (nextCharge?.amountCents ?? 0), 0);
  const count = formatCount(rows.length, "subscription");
  return dueCents > 0 ? `${count} · next charges ${formatMoney(dueCents)} in total` : count;
};

/**
 * What to do with the selected subscriptions. It stays at the top while the list scrolls under it, like a table's header.
 * While nothing is selected, only "Select all" is left of it; without scripts, which could not count, it is always there.
 */
const BulkBar = ({ count, ticked }: { count: number; ticked: number }) => {
  const { act } = useLoaderData<typeof loader>();
  const isOpen = ticked > 0;
  return (
    <fieldset
      className={`z-10 rounded-xl noscript:static ${isOpen ? "sticky top-0 border border-line bg-surface px-4 py-2 shadow-float" : "px-1"}`}
    >
      <legend className="sr-only">Selected subscriptions</legend>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
        <output className={`font-medium text-ink tabular-nums noscript:hidden ${isOpen ? "" : "sr-only"}`}>
          {formatNumber(ticked)} selected
        </output>
        <button type="submit" name="select" value="all" formAction="/subscriptions" className="link whitespace-nowrap">
          Select all {formatNumber(count)}
        </button>
        <button
          type="submit"
          name="select"
          value="none"
          formAction="/subscriptions"
          className={`link ${isOpen ? "" : "hidden noscript:inline"}`}
        >
          Clear
        </button>
        <div className={`items-center gap-2 max-sm:w-full sm:ml-auto ${isOpen ? "flex" : "hidden noscript:flex"}`}>
          <div className="min-w-0 flex-1 sm:w-56">
            <SelectField
              name="act"
              label="With the selected"
              quietLabel
              defaultValue={act}
              options={[
                { value: "renew", label: "Renew" },
                { value: "cancel", label: "Cancel" },
                { value: "auto_renew_on", label: "Turn auto-renewal on" },
                { value: "auto_renew_off", label: "Turn auto-renewal off" },
                { value: "download", label: "Download data" },
              ]}
            />
          </div>
          <Button>Continue</Button>
        </div>
      </div>
    </fieldset>
  );
};

/** Upcoming charges and expirations. */
const Outlook = () => {
  const { counts, outlook } = useLoaderData<typeof loader>();
  const running = counts.active + counts.expiring_soon + counts.cancelled;
  return (
    <Stats>
      <Stat
        label="Active"
        value={formatNumber(running)}
        note={counts.expired > 0 ? `and ${formatNumber(counts.expired)} ended` : undefined}
      />
      <Stat
        label={`Renewals in ${outlookDays} days`}
        value={formatNumber(outlook.renewals)}
        note={outlook.renewals > 0 ? `${formatMoney(outlook.renewalCents)} in total` : undefined}
      />
      <Stat
        label={`Ending in ${outlookDays} days`}
        value={formatNumber(outlook.ending)}
        note={outlook.ending > 0 ? "without renewal" : undefined}
      />
      <Stat
        label="Next charge"
        value={outlook.next ? formatMoney(outlook.next.amountCents) : "None"}
        note={outlook.next ? `on ${formatDay(outlook.next.date)}` : undefined}
      />
    </Stats>
  );
};

/** Tabs for the status; longer lists also get filters, groups and a sort order. */
const Filters = () => {
  const { counts, choice } = useLoaderData<typeof loader>();
  const { status, renewal, isExpiring, q, group, sort } = choice;
  const submit = useSubmit();
  const to = (value: typeof status) => `?${new URLSearchParams(paramsOf({ ...choice, status: value }))}`;
  return (
    <div className="grid gap-4">
      <Tabs
        label="By status"
        tabs={[
          { label: "All", to: to(null), current: status === null, count: counts.all },
          ...(["active", "expiring_soon", "cancelled", "expired"] as const)
            .filter((value) => counts[value] > 0 || value === status)
            .map((value) => ({
              label: statusTitle(value),
              to: to(value),
              current: value === status,
              count: counts[value],
            })),
        ]}
      />
      {counts.all > maxUnfiltered || isNarrowed(choice) || group !== null ? (
        <Form
          method="get"
          role="search"
          aria-label="Subscriptions"
          key={JSON.stringify(choice)}
          className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[minmax(0,1fr)_9.5rem_10.5rem_9.5rem_10rem_auto]"
          onChange={(event) => {
            if (event.target instanceof HTMLSelectElement) submit(event.currentTarget, { preventScrollReset: true });
          }}
        >
          {status ? <input type="hidden" name="status" value={status} /> : null}
          <div className="max-lg:col-span-2">
            <TextField
              name="q"
              type="search"
              label="Search"
              placeholder="Port, carrier, trade lane or code"
              defaultValue={q}
            />
          </div>
          <SelectField
            name="renewal"
            label="Auto-renewal"
            defaultValue={renewal ?? ""}
            options={[
              { value: "", label: "On or off" },
              { value: "on", label: "On" },
              { value: "off", label: "Off" },
            ]}
          />
          <SelectField
            name="expiring"
            label="Last day"
            defaultValue={isExpiring ? String(outlookDays) : ""}
            options={[
              { value: "", label: "Any day" },
              { value: String(outlookDays), label: `Within ${outlookDays} days` },
            ]}
          />
          <SelectField
            name="group"
            label="Group by"
            defaultValue={group ?? ""}
            options={[
              { value: "", label: "No grouping" },
              { value: "status", label: "Status" },
              { value: "lane", label: "Trade lane" },
              { value: "carrier", label: "Carrier" },
            ]}
          />
          <SelectField
            name="sort"
            label="Sort by"
            defaultValue={sort}
            options={[
              { value: "end", label: "Last day" },
              { value: "charge", label: "Next charge" },
              { value: "route", label: "Route" },
            ]}
          />
          <div className="flex items-center gap-4 max-lg:col-span-2">
            <Button icon="search">Search</Button>
            {isNarrowed(choice) || group !== null ? (
              <Link to="/subscriptions" className="link text-sm">
                Clear filters
              </Link>
            ) : null}
          </div>
        </Form>
      ) : null}
    </div>
  );
};

/** Lists up to this length need no filters. */
const maxUnfiltered = 3;

const NoSubscriptions = () => (
  <EmptyState
    icon="layers"
    title="No subscriptions yet"
    action={
      <>
        <ButtonLink to="/routes" variant="primary" icon="search">
          Find a route
        </ButtonLink>
        <ButtonLink to="/docs">Read the API guide</ButtonLink>
      </>
    }
  >
    Choose a route and a term of 1 to 12 months. You can read its schedules, transit times, rates and capacity at once,
    here and through the API.
  </EmptyState>
);

const NoneActive = () => (
  <EmptyState icon="layers" title="No active subscriptions" action={<ButtonLink to="/routes">Find a route</ButtonLink>}>
    Renew one of your ended subscriptions below, or subscribe to another route.
  </EmptyState>
);

const NoMatches = () => (
  <EmptyState
    icon="search"
    title="No matching subscriptions"
    action={<ButtonLink to="/subscriptions">Show all subscriptions</ButtonLink>}
  >
    Change the status, the filters or the search.
  </EmptyState>
);

const runningColumns: Column<Row>[] = [
  {
    key: "route",
    header: "Route",
    primary: true,
    cell: (row) => (
      <span className="flex gap-1.5">
        <label className="-my-2 -ml-2 grid size-9 shrink-0 place-items-center">
          <input
            type="checkbox"
            name="id"
            value={row.id}
            defaultChecked={row.isTicked}
            aria-label={`Select ${row.routeName}, ${row.routeCode}`}
            className="tick scroll-mt-36"
          />
        </label>
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
      </span>
    ),
  },
  { key: "status", header: "Status", cell: (row) => <StatusBadge status={row.status} /> },
  { key: "term", header: "Term", desktopOnly: true, cell: (row) => formatWord(row.term) },
  {
    key: "ends",
    header: "Last day",
    cell: (row) => (
      <span className="grid">
        {formatDay(lastDayOf(row.endDate))}
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
      row.pastDue ? (
        <span className="grid justify-items-end gap-0.5">
          <Badge tone="danger" dot>
            {row.pastDue.needsAuthentication ? "Action required" : "Past due"}
          </Badge>
          <span className="text-muted text-xs">
            {row.pastDue.nextAttemptOn ? `Next attempt ${formatDay(row.pastDue.nextAttemptOn)}` : "No further attempt"}
          </span>
        </span>
      ) : row.nextCharge ? (
        <span className="grid">
          {formatMoney(row.nextCharge.amountCents)}
          <span className="text-muted text-xs">on {formatDay(row.nextCharge.date)}</span>
        </span>
      ) : (
        <span className="text-muted">
          {row.status === "expired" ? "None" : row.needsCard ? "Needs a card" : "Auto-renewal off"}
        </span>
      ),
  },
  {
    key: "manage",
    header: "Manage",
    quietHeader: true,
    align: "end",
    cell: (row) => (
      <span className="flex flex-wrap justify-end gap-2">
        <WatchButton
          route={{ id: row.routeId, name: row.routeName, code: row.routeCode }}
          watchId={row.watchId}
          size="small"
        />
        <ButtonLink
          to={`/subscriptions/${row.id}`}
          size="small"
          aria-label={`${row.status === "expired" ? "Renew" : "Manage"} ${row.routeName}, ${row.routeCode}`}
        >
          {row.status === "expired" ? "Renew" : "Manage"}
        </ButtonLink>
      </span>
    ),
  },
];

/** Ended subscriptions have no next charge. */
const endedColumns = runningColumns.filter(({ key }) => key !== "next");
