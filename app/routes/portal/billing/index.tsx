import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { addDays, dayOf, startOf } from "../../../domain/dates.ts";
import { listInvoices } from "../../../domain/payments/invoices.server.ts";
import { listCards } from "../../../domain/payments/manage-cards.server.ts";
import { spendOf } from "../../../domain/payments/spend.server.ts";
import { Alert } from "../../../portal/components/alert.tsx";
import { ButtonLink } from "../../../portal/components/button.tsx";
import { Card } from "../../../portal/components/card.tsx";
import { EmptyState } from "../../../portal/components/empty-state.tsx";
import { PageHeader } from "../../../portal/components/page-header.tsx";
import { Stat, Stats } from "../../../portal/components/stat.tsx";
import { type Column, Table } from "../../../portal/components/table.tsx";
import { formatCount, formatDay, formatMoney, formatWord } from "../../../portal/format.ts";
import { cardName } from "../../../portal/invoice-view.ts";
import { visitOfMember } from "../../../portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Billing · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const since = startOf(addDays(dayOf(ctx.clock.now()), -30));
  const [invoices, spend, cards] = await Promise.all([
    listInvoices(ctx, caller),
    spendOf(ctx, caller, { since }),
    listCards(ctx, caller),
  ]);
  return {
    invoices: invoices.map(({ issuedAt, ...invoice }) => ({ ...invoice, issuedAt: issuedAt.toISOString() })),
    spend,
    card: cards.find(({ isDefault }) => isDefault) ?? null,
    otherCards: cards.filter(({ isDefault }) => !isDefault).length,
  };
};

const Billing = () => {
  const { invoices, card } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Billing"
        description="Every invoice and credit note, and the cards that renewals are charged to."
        actions={
          <>
            {invoices.length > 0 ? (
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
        <Alert tone="warning" title={`${cardName(card)} has expired`}>
          Renewals are charged to it.{" "}
          <Link to="/billing/cards/new" className="link">
            Add another card
          </Link>
        </Alert>
      ) : null}
      <Figures />
      <Card title="Invoices" flush>
        <Table
          caption="Invoices and credit notes, newest first"
          columns={columns}
          rows={invoices}
          rowKey={(row) => row.id}
          empty={
            <EmptyState
              icon="card"
              title="Nothing billed yet"
              action={<ButtonLink to="/routes">Find a route</ButtonLink>}
            >
              Invoices appear here with your first subscription.
            </EmptyState>
          }
        />
      </Card>
    </div>
  );
};

export default Billing;

const Figures = () => {
  const { invoices, spend, card, otherCards } = useLoaderData<typeof loader>();
  return (
    <Stats>
      <Stat label="Spent in total" value={formatMoney(spend.totalCents, spend.currency)} note="Less refunds" />
      <Stat label="Last 30 days" value={formatMoney(spend.recentCents, spend.currency)} />
      <Stat
        label="Invoices"
        value={invoices.filter(({ kind }) => kind === "invoice").length}
        note={creditNotesIn(invoices.filter(({ kind }) => kind === "credit_note").length)}
      />
      <Stat
        label="Card for renewals"
        value={<span className="text-lg">{card ? cardName(card) : "None"}</span>}
        note={otherCards > 0 ? `and ${formatCount(otherCards, "other card")}` : undefined}
      />
    </Stats>
  );
};

const creditNotesIn = (count: number) => (count > 0 ? `and ${formatCount(count, "credit note")}` : undefined);

type Row = ReturnType<typeof useLoaderData<typeof loader>>["invoices"][number];

const columns: Column<Row>[] = [
  {
    key: "number",
    header: "Number",
    primary: true,
    cell: (row) => (
      <Link to={`/billing/${row.id}`} prefetch="intent" className="link font-mono">
        {row.number}
      </Link>
    ),
  },
  { key: "date", header: "Date", cell: (row) => formatDay(row.issuedAt) },
  { key: "kind", header: "Kind", cell: (row) => formatWord(row.kind) },
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
