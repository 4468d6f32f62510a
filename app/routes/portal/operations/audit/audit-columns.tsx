import { Link } from "@remix-run/react";
import type { Column } from "#app/portal/components/table.tsx";
import { formatSecond } from "#app/portal/format.ts";
import type { AuditRow } from "./audit-row.ts";

export const actColumn: Column<AuditRow> = {
  key: "act",
  header: "Action",
  primary: true,
  cell: (row) => (
    <span className="grid gap-0.5">
      <span className="wrap-anywhere">{row.words}</span>
      <span className="font-mono font-normal text-muted text-xs">{row.action}</span>
    </span>
  ),
};

export const accountColumn: Column<AuditRow> = {
  key: "account",
  header: "Account",
  cell: (row) => (row.account ? <Party party={row.account} /> : <span className="text-muted">None</span>),
};

export const actorColumn: Column<AuditRow> = {
  key: "actor",
  header: "By",
  cell: (row) =>
    row.actor === null ? (
      <span className="text-muted">The service</span>
    ) : row.actor.id === row.account?.id ? (
      <span className="text-muted">Account holder</span>
    ) : (
      <Party party={row.actor} />
    ),
};

export const timeColumn: Column<AuditRow> = {
  key: "time",
  header: "Time (UTC)",
  align: "end",
  cell: (row) => (
    <time dateTime={row.occurredAt} className="whitespace-nowrap text-muted">
      {formatSecond(row.occurredAt)}
    </time>
  ),
};

const Party = ({ party }: { party: { id: number; username: string } }) => (
  <Link to={`/operations/accounts/${party.id}`} prefetch="intent" className="link break-all">
    {party.username}
  </Link>
);
