import { type Plan, plans } from "../../../domain/accounts/caller.ts";
import { planLimits } from "../../../domain/rate-limit/policy.ts";
import { Badge } from "../../../portal/components/badge.tsx";
import { Card } from "../../../portal/components/card.tsx";
import { type Column, Table } from "../../../portal/components/table.tsx";
import { formatNumber, formatWord } from "../../../portal/format.ts";

type Props = {
  plan: Plan;
  /** Agreed for this account; null: the plan's. */
  customHourlyLimit: number | null;
};

/** What the account's plan gives, beside what the others would. */
export const PlanCard = ({ plan, customHourlyLimit }: Props) => (
  <Card
    title="Plan"
    description="Limits hold for the account as a whole: all keys, tokens and endpoints together."
    flush
    footer={plans.at(-1) === plan ? undefined : "Larger plans are set up by sales."}
  >
    <Table
      caption="Plans and their limits"
      columns={columns}
      rows={plans.map((name) => ({
        name,
        isOwn: name === plan,
        ...planLimits[name],
        ...(name === plan && customHourlyLimit !== null ? { hourly: customHourlyLimit } : {}),
      }))}
      rowKey={(row) => row.name}
    />
  </Card>
);

type Row = {
  name: Plan;
  isOwn: boolean;
  hourly: number;
  burst: number;
  maxApiKeys: number | null;
  storageDays: number | null;
};

const columns: Column<Row>[] = [
  {
    key: "plan",
    header: "Plan",
    primary: true,
    cell: (row) => (
      <span className="flex flex-wrap items-center gap-2">
        {formatWord(row.name)}
        {row.isOwn ? <Badge tone="accent">Your plan</Badge> : null}
      </span>
    ),
  },
  { key: "hourly", header: "Requests an hour", align: "end", cell: (row) => formatNumber(row.hourly) },
  { key: "burst", header: "Burst a second", align: "end", cell: (row) => formatNumber(row.burst) },
  {
    key: "keys",
    header: "API keys",
    align: "end",
    cell: (row) => (row.maxApiKeys === null ? "Unlimited" : formatNumber(row.maxApiKeys)),
  },
  {
    key: "storage",
    header: "Request log kept",
    align: "end",
    cell: (row) => (row.storageDays === null ? "For ever" : `${row.storageDays} days`),
  },
];
