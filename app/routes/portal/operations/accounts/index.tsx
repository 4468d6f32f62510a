import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { standings } from "#app/domain/accounts/enums.ts";
import { accountFilter } from "#app/domain/operations/account-filter.ts";
import { type AccountRow as FoundAccount, findAccounts } from "#app/domain/operations/find-accounts.server.ts";
import { plans } from "#app/domain/plans/plans.ts";
import { Badge } from "#app/portal/components/badge.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { StandingBadge } from "#app/portal/components/standing-badge.tsx";
import type { Column } from "#app/portal/components/table.tsx";
import { formatDay, formatNumber, formatWord } from "#app/portal/format.ts";
import { loadList } from "../list-loader.server.ts";
import { ListPage } from "../list-page.tsx";

export const meta: MetaFunction = () => [{ title: "Accounts · Operations · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => ({
  ...(await loadList(args, accountFilter, findAccounts, accountRow)),
  choices: { plans, standings },
});

const accountRow = ({ createdAt, closedAt, ...row }: FoundAccount) => ({
  ...row,
  createdAt: createdAt.toISOString(),
  isClosed: closedAt !== null,
});

const Accounts = () => {
  const { choices, ...list } = useLoaderData<typeof loader>();
  return (
    <ListPage
      header={{ title: "Accounts", description: "All accounts, newest first." }}
      list={list}
      filters={{
        label: "Accounts",
        columns: "lg:grid-cols-[2fr_1fr_1fr_auto]",
        fields: [
          { kind: "search", name: "q", label: "E-mail, username or number", spellCheck: false },
          { kind: "choice", name: "plan", label: "Plan", any: "Any plan", options: inWords(choices.plans) },
          {
            kind: "choice",
            name: "standing",
            label: "Standing",
            any: "Any standing",
            options: inWords(choices.standings),
          },
        ],
      }}
      caption="Accounts"
      columns={columns}
      empty={
        <EmptyState
          icon="search"
          title="No account matches"
          action={<ButtonLink to="/operations/accounts">Show all accounts</ButtonLink>}
        >
          Search for part of an e-mail address or username, or a full account number.
        </EmptyState>
      }
    />
  );
};

export default Accounts;

const inWords = (values: readonly string[]) => values.map((value) => ({ value, label: formatWord(value) }));

type Row = ReturnType<typeof accountRow>;

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
    header: "Active subscriptions",
    align: "end",
    cell: (row) => formatNumber(row.runningSubscriptions),
  },
  { key: "since", header: "Member since", cell: (row) => formatDay(row.createdAt) },
];
