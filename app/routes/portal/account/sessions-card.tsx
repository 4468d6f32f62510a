import { Form } from "@remix-run/react";
import { Badge } from "#app/portal/components/badge.tsx";
import { Button } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Confirmation } from "#app/portal/components/confirmation.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { formatInstant } from "#app/portal/format.ts";

export type SessionRow = {
  id: string;
  kind: "portal" | "bearer";
  /** The client, described in words. */
  program: string;
  ipAddress: string | null;
  createdAt: string;
  expiresAt: string;
  isCurrent: boolean;
};

/** The account's sessions, each with a button to end it. */
export const SessionsCard = ({ sessions }: { sessions: readonly SessionRow[] }) => (
  <Card
    title="Sessions"
    description="Browsers that are signed in, and bearer tokens of the API. API keys have their own page."
    actions={
      <>
        {sessions.length > 1 ? (
          <Form method="post">
            <Button size="small" name="intent" value="revoke-others">
              Sign out everywhere else
            </Button>
          </Form>
        ) : null}
        <Confirmation
          id="revoke-all"
          label="Sign out everywhere"
          size="small"
          title="Sign out everywhere, including here?"
          intent="revoke-all"
          confirm="Sign out"
          keep="Stay signed in"
        >
          All browsers and programs with a bearer token must sign in again. API keys keep working.
        </Confirmation>
      </>
    }
    flush
  >
    <Table caption="Sessions" columns={columns} rows={sessions} rowKey={(row) => row.id} />
  </Card>
);

const Instant = ({ at }: { at: string }) => (
  <time dateTime={at} className="whitespace-nowrap">
    {formatInstant(at)}
  </time>
);

const endLabel = ({ kind }: SessionRow) => (kind === "portal" ? "Sign out" : "Revoke");

const columns: Column<SessionRow>[] = [
  {
    key: "program",
    header: "Program",
    primary: true,
    cell: (row) => (
      <span className="flex flex-wrap items-center gap-2">
        {row.program}
        {row.isCurrent ? (
          <Badge tone="success" dot>
            This session
          </Badge>
        ) : null}
      </span>
    ),
  },
  {
    key: "kind",
    header: "Kind",
    cell: (row) => <span className="whitespace-nowrap">{row.kind === "portal" ? "Portal" : "Bearer token"}</span>,
  },
  {
    key: "from",
    header: "From",
    cell: (row) => row.ipAddress ?? <span className="text-muted">Unknown</span>,
  },
  { key: "since", header: "Signed in", cell: (row) => <Instant at={row.createdAt} /> },
  { key: "until", header: "Ends", cell: (row) => <Instant at={row.expiresAt} /> },
  {
    key: "actions",
    header: "Actions",
    quietHeader: true,
    align: "end",
    cell: (row) =>
      row.isCurrent ? null : (
        <Form method="post" className="inline-block">
          <input type="hidden" name="id" value={row.id} />
          <Button
            size="small"
            name="intent"
            value="revoke"
            aria-label={`${endLabel(row)} ${row.program}, signed in ${formatInstant(row.createdAt)}`}
          >
            {endLabel(row)}
          </Button>
        </Form>
      ),
  },
];
