import { Link } from "@remix-run/react";
import { lastDayOf } from "#app/domain/dates.ts";
import { Badge } from "#app/portal/components/badge.tsx";
import { StatusBadge } from "#app/portal/components/status-badge.tsx";
import type { Column } from "#app/portal/components/table.tsx";
import { formatDay, formatMoney, formatWord } from "#app/portal/format.ts";
import type { SubscriptionRow } from "./subscription-row.ts";

export const routeColumn: Column<SubscriptionRow> = {
  key: "route",
  header: "Route",
  primary: true,
  cell: (row) => (
    <span className="grid gap-0.5">
      <Link to={`/routes/${row.routeId}`} prefetch="intent" className="link break-words">
        {row.routeName}
      </Link>
      <span className="font-mono font-normal text-muted text-xs">
        {row.routeCode} · number {row.id}
      </span>
    </span>
  ),
};

export const accountColumn: Column<SubscriptionRow> = {
  key: "account",
  header: "Account",
  cell: (row) => (
    <Link to={`/operations/accounts/${row.accountId}`} prefetch="intent" className="link break-all">
      {row.username}
    </Link>
  ),
};

export const statusColumn: Column<SubscriptionRow> = {
  key: "status",
  header: "Status",
  cell: (row) => <StatusBadge status={row.status} />,
};

export const datesColumn: Column<SubscriptionRow> = {
  key: "ends",
  header: "Last day",
  cell: (row) => (
    <span className="grid gap-0.5">
      <time dateTime={lastDayOf(row.endDate)} className="whitespace-nowrap">
        {formatDay(lastDayOf(row.endDate))}
      </time>
      <span className="text-[0.8125rem] text-muted">
        {formatWord(row.term)}, since {formatDay(row.startDate)}
      </span>
    </span>
  ),
};

export const chargeColumn: Column<SubscriptionRow> = {
  key: "charge",
  header: "Next charge",
  align: "end",
  cell: ({ renewalState, nextCharge }) => (
    <span className="grid justify-items-end gap-0.5">
      {renewalState === "past_due" || renewalState === "action_required" ? (
        <Badge tone="danger" dot>
          {formatWord(renewalState)}
        </Badge>
      ) : null}
      {nextCharge ? (
        <>
          {formatMoney(nextCharge.amountCents)}
          <span className="whitespace-nowrap text-[0.8125rem] text-muted">{formatDay(nextCharge.date)}</span>
        </>
      ) : (
        <span className="text-muted">None</span>
      )}
    </span>
  ),
};
