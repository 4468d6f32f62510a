import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData, useSubmit } from "@remix-run/react";
import { dayOf, startOf } from "#app/domain/dates.ts";
import { listDisputes } from "#app/domain/payments/disputes.server.ts";
import { invoicesWithLines } from "#app/domain/payments/invoices.server.ts";
import { listCards } from "#app/domain/payments/manage-cards.server.ts";
import { spendOf } from "#app/domain/payments/spend.server.ts";
import { listSubscriptions } from "#app/domain/subscriptions/list.server.ts";
import { firstRecentDay, recentDays } from "#app/domain/usage/policy.ts";
import { counted } from "#app/domain/wording.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Badge } from "#app/portal/components/badge.tsx";
import { Button, ButtonLink, Link } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { DisputeNotice, disputeView, isContested } from "#app/portal/components/dispute-notice.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { PastDueAlert } from "#app/portal/components/past-due-alert.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { Stat, Stats } from "#app/portal/components/stat.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { Tabs } from "#app/portal/components/tabs.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { formatCount, formatDay, formatMoney, formatNumber, formatWord } from "#app/portal/format.ts";
import { cardName } from "#app/portal/invoice-view.ts";
import { pastDueOf } from "#app/portal/past-due.ts";
import { routeFacts } from "#app/portal/route-facts.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { selected } from "./select.ts";

export const meta: MetaFunction = () => [{ title: "Billing · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const since = startOf(firstRecentDay(dayOf(ctx.clock.now())));
  const [invoices, spend, cards, subscriptions, disputes] = await Promise.all([
    invoicesWithLines(ctx, caller),
    spendOf(ctx, caller, { since }),
    listCards(ctx, caller),
    listSubscriptions(ctx, caller),
    listDisputes(ctx, caller),
  ]);
  const factsOf = await routeFacts(
    ctx,
    invoices.flatMap(({ lines }) => lines.map(({ routeId }) => routeId)),
  );
  const contested = disputes.filter(isContested);
  const rows = invoices.map(({ issuedAt, lines, planLine, ...invoice }) => ({
    ...invoice,
    dispute: contested.find(({ invoiceId }) => invoiceId === invoice.id)?.status ?? null,
    issuedAt: issuedAt.toISOString(),
    routes: planLine ? [`${formatWord(planLine.plan)} plan`] : lines.map(({ routeId }) => factsOf(routeId).name),
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
    pastDue: subscriptions.flatMap((subscription) => pastDueOf(subscription) ?? []),
    disputes: contested.map(disputeView),
    isSuspended: caller.account.standing === "suspended",
    renewing: subscriptions.filter(({ nextCharge, renewal }) => nextCharge !== null || renewal.needsCard).length,
    nextCharge: charges.sort((a, b) => (a.date < b.date ? -1 : 1))[0] ?? null,
    card: cards.find(({ isDefault }) => isDefault) ?? null,
    otherCards: cards.filter(({ isDefault }) => !isDefault).length,
  };
};

const Billing = () => {
  const { rows, counts, card, otherCards, pastDue, renewing, isNarrowed, disputes, isSuspended } =
    useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Billing"
        description="Your invoices, credit notes and cards."
        actions={
          <>
            {counts.all > 0 ? (
              <ButtonLink to="/billing.csv" icon="download" reloadDocument prefetch="none">
                Download CSV
              </ButtonLink>
            ) : null}
            <ButtonLink to="/billing/statements">Statements</ButtonLink>
            <ButtonLink to="/billing/quotes">Quotes</ButtonLink>
            <ButtonLink to="/billing/details">Billing details</ButtonLink>
            <ButtonLink to="/billing/cards" icon="card">
              Cards
            </ButtonLink>
          </>
        }
      />
      {pastDue.map((renewal) => (
        <PastDueAlert key={renewal.subscriptionId} renewal={renewal} named />
      ))}
      {disputes.map((dispute) => (
        <DisputeNotice
          key={dispute.id}
          dispute={dispute}
          action={
            <ButtonLink to="/support/new" size="small">
              Contact support
            </ButtonLink>
          }
        >
          {isSuspended
            ? "Your account is suspended until we have reviewed it. We charge nothing until then."
            : card === null
              ? "We charge nothing until you choose a card for renewals."
              : `We charge renewals to ${cardName(card)}, as you chose.`}
        </DisputeNotice>
      ))}
      {card?.isExpired ? (
        <Alert tone="warning" title={`${cardName(card)} has expired`} action={<AddCard />}>
          We charge renewals to this card. Add another card to keep your subscriptions.
        </Alert>
      ) : null}
      {card === null && renewing > 0 ? (
        <Alert tone="warning" title="Renewals cannot be charged" action={otherCards > 0 ? <ChooseCard /> : <AddCard />}>
          {otherCards > 0 ? "No card is chosen for renewals" : "No card is saved"}, and{" "}
          {formatCount(renewing, "subscription is", "subscriptions are")} set to renew automatically.
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

const ChooseCard = () => (
  <ButtonLink to="/billing/cards" size="small">
    Choose a card
  </ButtonLink>
);

const NoInvoices = () => (
  <EmptyState
    icon="card"
    title="No invoices yet"
    action={
      <ButtonLink to="/routes" variant="primary">
        Find a route
      </ButtonLink>
    }
  >
    Your first subscription creates your first invoice. You can view it here and download it as PDF or CSV.
  </EmptyState>
);

const NoMatches = () => (
  <EmptyState
    icon="search"
    title="No matching invoices"
    action={<ButtonLink to="/billing">Show all invoices</ButtonLink>}
  >
    Change the year or the search.
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
            options={[{ value: "", label: "All years" }, ...years.map((value) => ({ value, label: value }))]}
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
      <Stat
        label="Total paid"
        value={formatMoney(spend.totalCents, spend.currency)}
        note="After refunds and chargebacks"
      />
      <Stat label={`Last ${counted(recentDays, "day")}`} value={formatMoney(spend.recentCents, spend.currency)} />
      <Stat
        label="Next charge"
        value={nextCharge ? formatMoney(nextCharge.amountCents) : "None"}
        note={
          nextCharge
            ? `on ${formatDay(nextCharge.date)}${renewing > 1 ? `, ${formatNumber(renewing)} to renew` : ""}`
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
        {row.dispute === "open" ? <Badge tone="warning">Disputed</Badge> : null}
        {row.dispute === "lost" ? <Badge tone="danger">Dispute lost</Badge> : null}
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
