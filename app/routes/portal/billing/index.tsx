import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useLoaderData, useSubmit } from "@remix-run/react";
import { dayOf, startOf } from "#app/domain/dates.ts";
import { invoicesWithLines } from "#app/domain/payments/invoices.server.ts";
import { listCards } from "#app/domain/payments/manage-cards.server.ts";
import { spendOf } from "#app/domain/payments/spend.server.ts";
import { listSubscriptions } from "#app/domain/subscriptions/list.server.ts";
import { firstRecentDay, recentDays } from "#app/domain/usage/policy.ts";
import { counted } from "#app/domain/wording.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Badge } from "#app/portal/components/badge.tsx";
import { Button, ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { Stat, Stats } from "#app/portal/components/stat.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { Tabs } from "#app/portal/components/tabs.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { formatCount, formatDay, formatMoney, formatNumber, formatWord } from "#app/portal/format.ts";
import { cardName } from "#app/portal/invoice-view.ts";
import { routeFacts } from "#app/portal/route-facts.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { selected } from "./select.ts";

export const meta: MetaFunction = () => [{ title: "Billing · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const since = startOf(firstRecentDay(dayOf(ctx.clock.now())));
  const [invoices, spend, cards, subscriptions] = await Promise.all([
    invoicesWithLines(ctx, caller),
    spendOf(ctx, caller, { since }),
    listCards(ctx, caller),
    listSubscriptions(ctx, caller),
  ]);
  const factsOf = await routeFacts(
    ctx,
    invoices.flatMap(({ lines }) => lines.map(({ routeId }) => routeId)),
  );
  const rows = invoices.map(({ issuedAt, lines, ...invoice }) => ({
    ...invoice,
    issuedAt: issuedAt.toISOString(),
    routes: lines.map(({ routeId }) => factsOf(routeId).name),
  }));
  const charges = subscriptions.flatMap(({ nextCharge }) => (nextCharge ? [nextCharge] : []));
  return {
    ...selected(rows, Object.fromEntries(new URL(args.request.url).searchParams)),
    counts: {
      all: rows.length,
      invoice: rows.filter(({ kind }) => kind === "invoice").length,
      credit_note: rows.filter(({ kind }) => kind === "credit_note").length,
    },
    spend,
    renewing: charges.length,
    nextCharge: charges.sort((a, b) => (a.date < b.date ? -1 : 1))[0] ?? null,
    card: cards.find(({ isDefault }) => isDefault) ?? null,
    otherCards: cards.filter(({ isDefault }) => !isDefault).length,
  };
};

const Billing = () => {
  const { rows, counts, card, renewing, isNarrowed } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Billing"
        description="Every invoice and credit note, and the cards that renewals are charged to."
        actions={
          <>
            {counts.all > 0 ? (
              <ButtonLink to="/billing.csv" icon="download" reloadDocument prefetch="none">
                Download CSV
              </ButtonLink>
            ) : null}
            <ButtonLink to="/billing/cards" icon="card">
              Cards
            </ButtonLink>
          </>
        }
      />
      {card?.isExpired ? (
        <Alert tone="warning" title={`${cardName(card)} has expired`} action={<AddCard />}>
          Renewals are charged to it.
        </Alert>
      ) : null}
      {card === null && renewing > 0 ? (
        <Alert tone="warning" title="Renewals cannot be charged" action={<AddCard />}>
          No card is saved, and {formatCount(renewing, "subscription is", "subscriptions are")} to renew.
        </Alert>
      ) : null}
      <Figures />
      {counts.all > maxUnfiltered ? <Filters /> : null}
      <Card title="Invoices" flush>
        <Table
          caption="Invoices and credit notes, newest first"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          narrow
          empty={isNarrowed ? <NoMatches /> : <NoInvoices />}
        />
      </Card>
    </div>
  );
};

export default Billing;

/** Lists up to this length need no filters. */
const maxUnfiltered = 5;

const AddCard = () => (
  <ButtonLink to="/billing/cards/new" size="small">
    Add a card
  </ButtonLink>
);

const NoInvoices = () => (
  <EmptyState
    icon="card"
    title="Nothing billed yet"
    action={
      <ButtonLink to="/routes" variant="primary">
        Find a route
      </ButtonLink>
    }
  >
    Invoices appear here with your first subscription, as pages, PDF and CSV.
  </EmptyState>
);

const NoMatches = () => (
  <EmptyState icon="search" title="No invoice fits" action={<ButtonLink to="/billing">Show all</ButtonLink>}>
    Try another year, or fewer words.
  </EmptyState>
);

/** Tabs for the kind, if there are both kinds, and a GET form for year, number and route. */
const Filters = () => {
  const { counts, kind, year, years, q } = useLoaderData<typeof loader>();
  const submit = useSubmit();
  const to = (value: string | null) =>
    `?${new URLSearchParams({ ...(value ? { kind: value } : {}), ...(year ? { year } : {}), ...(q ? { q } : {}) })}`;
  return (
    <div className="grid gap-4">
      {counts.credit_note > 0 ? (
        <Tabs
          label="By kind"
          tabs={[
            { label: "All", to: to(null), current: kind === null, count: counts.all },
            { label: "Invoices", to: to("invoice"), current: kind === "invoice", count: counts.invoice },
            {
              label: "Credit notes",
              to: to("credit_note"),
              current: kind === "credit_note",
              count: counts.credit_note,
            },
          ]}
        />
      ) : null}
      <Form
        method="get"
        role="search"
        aria-label="Invoices"
        key={`${kind} ${year} ${q}`}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3 sm:grid-cols-[minmax(0,24rem)_12rem_auto]"
      >
        {kind ? <input type="hidden" name="kind" value={kind} /> : null}
        <div className="max-sm:col-span-2">
          <TextField name="q" type="search" label="Search" placeholder="Number or port" defaultValue={q} />
        </div>
        <div
          onChange={({ target }) => {
            if (target instanceof HTMLSelectElement) submit(target.form);
          }}
        >
          <SelectField
            name="year"
            label="Year"
            defaultValue={year ?? ""}
            options={[{ value: "", label: "Every year" }, ...years.map((value) => ({ value, label: value }))]}
          />
        </div>
        <Button icon="search" className="justify-self-start">
          Search
        </Button>
      </Form>
    </div>
  );
};

const Figures = () => {
  const { spend, nextCharge, renewing, card, otherCards } = useLoaderData<typeof loader>();
  return (
    <Stats>
      <Stat label="Spent in total" value={formatMoney(spend.totalCents, spend.currency)} note="Less refunds" />
      <Stat label={`Last ${counted(recentDays, "day")}`} value={formatMoney(spend.recentCents, spend.currency)} />
      <Stat
        label="Next charge"
        value={nextCharge ? formatMoney(nextCharge.amountCents) : "None"}
        note={
          nextCharge
            ? `on ${formatDay(nextCharge.date)}${renewing > 1 ? `; ${formatNumber(renewing)} renew` : ""}`
            : undefined
        }
      />
      <Stat
        label="Card for renewals"
        value={<span className="text-lg">{card ? cardName(card) : "None"}</span>}
        note={otherCards > 0 ? `and ${formatCount(otherCards, "other card")}` : undefined}
      />
    </Stats>
  );
};

type Row = ReturnType<typeof useLoaderData<typeof loader>>["rows"][number];

const columns: Column<Row>[] = [
  {
    key: "number",
    header: "Number",
    primary: true,
    cell: (row) => (
      <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link to={`/billing/${row.id}`} prefetch="intent" className="link font-mono whitespace-nowrap">
          {row.number}
        </Link>
        {row.kind === "credit_note" ? <Badge>Credit note</Badge> : null}
      </span>
    ),
  },
  { key: "date", header: "Date", cell: (row) => <span className="whitespace-nowrap">{formatDay(row.issuedAt)}</span> },
  {
    key: "for",
    header: "For",
    desktopOnly: true,
    cell: (row) => <span className="text-muted">{routesInWords(row)}</span>,
  },
  {
    key: "card",
    header: "Card",
    desktopOnly: true,
    cell: (row) => (row.card ? cardName(row.card) : <span className="text-muted">None</span>),
  },
  { key: "amount", header: "Amount", align: "end", cell: (row) => formatMoney(row.amountCents, row.currency) },
  {
    key: "receipt",
    header: "Receipt",
    quietHeader: true,
    // On a phone the invoice's own page has the download.
    desktopOnly: true,
    align: "end",
    cell: (row) => (
      <ButtonLink
        to={`/billing/${row.id}/receipt.pdf`}
        size="small"
        icon="download"
        reloadDocument
        prefetch="none"
        aria-label={`PDF of ${formatWord(row.kind).toLowerCase()} ${row.number}`}
      >
        PDF
      </ButtonLink>
    ),
  },
];

/** `Shanghai – Rotterdam and 3 more routes`. */
const routesInWords = ({ kind, routes: [first, ...others] }: Row): string => {
  if (first === undefined) return kind === "credit_note" ? "Refund" : "";
  return others.length === 0 ? first : `${first} and ${formatCount(others.length, "more route")}`;
};
