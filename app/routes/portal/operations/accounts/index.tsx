import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { accountFilter, standings } from "#app/domain/operations/account-filter.ts";
import { findAccounts } from "#app/domain/operations/find-accounts.server.ts";
import { plans } from "#app/domain/plans/plans.ts";
import { Badge } from "#app/portal/components/badge.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Pagination } from "#app/portal/components/pagination.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { StandingBadge } from "#app/portal/components/standing-badge.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { formatDay, formatNumber, formatWord } from "#app/portal/format.ts";
import { searchByParams } from "#app/portal/search-params.server.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { ListFilters } from "../list-filters.tsx";

export const meta: MetaFunction = () => [{ title: "Accounts · Operations · Shipping Route Data Service" }];

const pageSize = 50;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const found = await searchByParams(args.request, accountFilter, ({ filter, cursor }) =>
    findAccounts(ctx, caller, filter, { limit: pageSize, cursor }),
  );
  return {
    ...found,
    rows: found.rows.map(({ createdAt, closedAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      isClosed: closedAt !== null,
    })),
    choices: { plans, standings },
  };
};

const Accounts = () => {
  const { rows, nextCursor, problem } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader title="Accounts" description="Everybody who has registered, newest first." />
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      <Filters />
      <Card flush>
        <Table
          caption="Accounts"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          empty={
            <EmptyState
              icon="search"
              title="No account fits"
              action={<ButtonLink to="/operations/accounts">Show all accounts</ButtonLink>}
            >
              A part of the e-mail address or username is enough, or the whole number.
            </EmptyState>
          }
        />
      </Card>
      <Pagination nextCursor={nextCursor} />
    </div>
  );
};

export default Accounts;

const Filters = () => {
  const { choices, problem } = useLoaderData<typeof loader>();
  return (
    <ListFilters
      label="Accounts"
      names={["q", "plan", "standing"]}
      columns="lg:grid-cols-[2fr_1fr_1fr_auto]"
      act="search"
    >
      {(value) => (
        <>
          <TextField
            name="q"
            label="E-mail, username or number"
            type="search"
            defaultValue={value("q")}
            error={errorOf(problem?.fields, "q")}
            autoComplete="off"
            spellCheck={false}
          />
          <SelectField
            name="plan"
            label="Plan"
            defaultValue={value("plan")}
            options={[
              { value: "", label: "Any plan" },
              ...choices.plans.map((plan) => ({ value: plan, label: formatWord(plan) })),
            ]}
          />
          <SelectField
            name="standing"
            label="Standing"
            defaultValue={value("standing")}
            options={[
              { value: "", label: "Any standing" },
              ...choices.standings.map((standing) => ({ value: standing, label: formatWord(standing) })),
            ]}
          />
        </>
      )}
    </ListFilters>
  );
};

type Row = ReturnType<typeof useLoaderData<typeof loader>>["rows"][number];

const columns: Column<Row>[] = [
  {
    key: "account",
    header: "Account",
    primary: true,
    cell: (row) => (
      <span className="grid gap-0.5">
        <Link to={`/operations/accounts/${row.id}`} prefetch="intent" className="link break-all">
          {row.username}
        </Link>
        <span className="break-all font-normal text-muted text-[0.8125rem]">{row.email}</span>
      </span>
    ),
  },
  { key: "number", header: "Number", align: "end", cell: (row) => row.id },
  {
    key: "plan",
    header: "Plan",
    cell: (row) => (
      <span className="inline-flex flex-wrap items-center gap-2">
        {formatWord(row.plan)}
        {row.role === "operator" ? <Badge tone="accent">Operator</Badge> : null}
      </span>
    ),
  },
  {
    key: "standing",
    header: "Standing",
    cell: (row) => <StandingBadge standing={row.standing} isClosed={row.isClosed} />,
  },
  {
    key: "subscriptions",
    header: "Running subscriptions",
    align: "end",
    cell: (row) => formatNumber(row.runningSubscriptions),
  },
  { key: "since", header: "Member since", cell: (row) => formatDay(row.createdAt) },
];
