/** The cards of an account's page. */
import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { chartDays } from "#app/domain/operations/policy.ts";
import { counted } from "#app/domain/wording.ts";
import { Badge } from "#app/portal/components/badge.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Chart } from "#app/portal/components/charts/chart.tsx";
import { requestSeries } from "#app/portal/components/charts/request-series.ts";
import { DescriptionList } from "#app/portal/components/description-list.tsx";
import { StatusBadge } from "#app/portal/components/status-badge.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import {
  formatCount,
  formatDay,
  formatInstant,
  formatMoney,
  formatNumber,
  formatShortDay,
} from "#app/portal/format.ts";
import { actColumn, actorColumn, timeColumn } from "../audit/audit-columns.tsx";
import type { AuditRow } from "../audit/audit-row.ts";
import { chargeColumn, datesColumn, routeColumn, statusColumn } from "../subscriptions/subscription-columns.tsx";
import type { SubscriptionRow } from "../subscriptions/subscription-row.ts";

type ProfileFacts = {
  id: number;
  emailVerifiedAt: string | null;
  createdAt: string;
  twoFactor: TwoFactorFacts | null;
  stripeCustomerId: string | null;
  customHourlyLimit: number | null;
  customDiscountPercent: number | null;
  customDiscountThrough: string | null;
  discountAgreedBy: string | null;
};

/** `30%, last day 19 Nov 2027, agreed by ada`. */
const agreementInWords = ({ customDiscountPercent, customDiscountThrough, discountAgreedBy }: ProfileFacts): string =>
  customDiscountPercent === null
    ? "None"
    : [
        `${customDiscountPercent}%`,
        ...(customDiscountThrough ? [`last day ${formatDay(customDiscountThrough)}`] : []),
        ...(discountAgreedBy ? [`agreed by ${discountAgreedBy}`] : []),
      ].join(", ");

type TwoFactorFacts = { since: string; hasApp: boolean; passkeys: number; recoveryCodesLeft: number };

const factorsInWords = ({ hasApp, passkeys, recoveryCodesLeft }: TwoFactorFacts): string =>
  [
    ...(hasApp ? ["authenticator app"] : []),
    ...(passkeys > 0 ? [formatCount(passkeys, "passkey")] : []),
    `${formatCount(recoveryCodesLeft, "recovery code")} left`,
  ].join(", ");

export const Profile = ({ profile }: { profile: ProfileFacts }) => (
  <Card title="Profile">
    <DescriptionList
      facts={[
        { term: "Number", description: profile.id },
        { term: "Member since", description: formatDay(profile.createdAt) },
        {
          term: "E-mail",
          description: profile.emailVerifiedAt ? `Verified ${formatDay(profile.emailVerifiedAt)}` : "Not verified",
        },
        {
          term: "Two-factor",
          description: profile.twoFactor
            ? `On since ${formatDay(profile.twoFactor.since)}: ${factorsInWords(profile.twoFactor)}`
            : "Off",
        },
        {
          term: "Custom limit",
          description:
            profile.customHourlyLimit === null
              ? "None"
              : `${formatNumber(profile.customHourlyLimit)} requests per hour`,
        },
        {
          term: "Agreed discount",
          description: agreementInWords(profile),
        },
        {
          term: "Stripe customer",
          description: profile.stripeCustomerId ? (
            <span className="select-all break-all font-mono text-[0.8125rem]">{profile.stripeCustomerId}</span>
          ) : (
            "None yet"
          ),
        },
      ]}
    />
  </Card>
);

const Nothing = ({ children }: { children: ReactNode }) => <p className="px-5 py-4 text-muted text-sm">{children}</p>;

export const Subscriptions = ({
  accountId,
  rows,
  more,
}: {
  accountId: number;
  rows: readonly SubscriptionRow[];
  more: boolean;
}) => (
  <Card
    title="Subscriptions"
    flush
    footer={
      more ? (
        <Link to={`/operations/subscriptions?account=${accountId}`} className="link">
          All subscriptions of this account
        </Link>
      ) : undefined
    }
  >
    <Table
      caption="Subscriptions, newest first"
      columns={[routeColumn, statusColumn, datesColumn, chargeColumn]}
      rows={rows}
      rowKey={(row) => row.id}
      empty={<Nothing>No subscriptions yet.</Nothing>}
    />
  </Card>
);

type UsageDay = { day: string; requests: number; errors: number; rateLimited: number };

export const Usage = ({ usage }: { usage: readonly UsageDay[] }) => {
  const total = (of: keyof Omit<UsageDay, "day">) => usage.reduce((sum, row) => sum + row[of], 0);
  return (
    <Card title={`Requests, the last ${counted(chartDays, "day")}`}>
      {total("requests") === 0 ? (
        <p className="text-muted text-sm">None.</p>
      ) : (
        <Chart
          model={{
            title: "Requests of this account by day",
            description: `${formatCount(total("requests"), "request")}, of which ${formatCount(total("errors"), "error")} and ${formatNumber(total("rateLimited"))} rate-limited.`,
            labels: usage.map(({ day }) => formatShortDay(day)),
            labelHeader: "Day",
            ...requestSeries(usage),
          }}
        />
      )}
    </Card>
  );
};

type Invoice = {
  id: number;
  kind: "invoice" | "credit_note";
  number: string;
  currency: string;
  amountCents: number;
  issuedAt: string;
  refundableCents: number;
  isDisputed: boolean;
};

export const Invoices = ({ accountId, invoices }: { accountId: number; invoices: readonly Invoice[] }) => (
  <Card title="Invoices" description="The newest 20, including credit notes." flush>
    <Table
      caption="Invoices and credit notes, newest first"
      columns={invoiceColumns(accountId)}
      rows={invoices}
      rowKey={(row) => row.id}
      empty={<Nothing>No invoices yet.</Nothing>}
    />
  </Card>
);

const invoiceColumns = (accountId: number): Column<Invoice>[] => [
  {
    key: "number",
    header: "Number",
    primary: true,
    cell: (row) => (
      <span className="inline-flex flex-wrap items-center gap-2">
        <span className="font-mono">{row.number}</span>
        {row.kind === "credit_note" ? <Badge>Credit note</Badge> : null}
        {row.isDisputed ? <Badge tone="danger">Disputed</Badge> : null}
      </span>
    ),
  },
  { key: "date", header: "Date", cell: (row) => formatDay(row.issuedAt) },
  { key: "amount", header: "Amount", align: "end", cell: (row) => formatMoney(row.amountCents, row.currency) },
  {
    key: "refund",
    header: "Refund",
    quietHeader: true,
    align: "end",
    cell: (row) =>
      row.refundableCents > 0 ? (
        <ButtonLink
          to={`/operations/accounts/${accountId}/refund/${row.id}`}
          size="small"
          aria-label={`Refund invoice ${row.number}`}
        >
          Refund
        </ButtonLink>
      ) : null,
  },
];

type Key = {
  id: number;
  name: string;
  user: string;
  displayPrefix: string;
  status: "active" | "inactive";
  createdAt: string;
  lastUsedAt: string | null;
};

export const Keys = ({ keys, maxApiKeys }: { keys: readonly Key[]; maxApiKeys: number | null }) => (
  <Card
    title="API keys"
    description={
      maxApiKeys === null
        ? "The plan has no limit. The newest 50 are shown."
        : `${keys.length} of ${maxApiKeys} on this plan.`
    }
    flush
  >
    <Table
      caption="API keys, newest first"
      columns={keyColumns}
      rows={keys}
      rowKey={(row) => row.id}
      empty={<Nothing>No keys yet.</Nothing>}
    />
  </Card>
);

const keyColumns: Column<Key>[] = [
  {
    key: "name",
    header: "Name",
    primary: true,
    cell: (key) => (
      <span className="grid gap-0.5">
        <span className="break-words">{key.name}</span>
        <span className="font-mono font-normal text-muted text-xs">{key.displayPrefix}…</span>
      </span>
    ),
  },
  { key: "user", header: "User", cell: (key) => <span className="break-all">{key.user}</span> },
  { key: "status", header: "Status", cell: (key) => <StatusBadge status={key.status} /> },
  { key: "created", header: "Created", cell: (key) => formatDay(key.createdAt) },
  {
    key: "used",
    header: "Last used",
    cell: (key) => (key.lastUsedAt ? formatInstant(key.lastUsedAt) : <span className="text-muted">Never</span>),
  },
];

export const Activity = ({
  accountId,
  rows,
  more,
}: {
  accountId: number;
  rows: readonly AuditRow[];
  more: boolean;
}) => (
  <Card
    title="Account log"
    flush
    footer={
      more ? (
        <Link to={`/operations/audit?account=${accountId}`} className="link">
          Full log of this account
        </Link>
      ) : undefined
    }
  >
    <Table
      caption="Changes to this account, newest first"
      columns={[actColumn, actorColumn, timeColumn]}
      rows={rows}
      rowKey={(row) => row.id}
      empty={<Nothing>No entries yet.</Nothing>}
    />
  </Card>
);
