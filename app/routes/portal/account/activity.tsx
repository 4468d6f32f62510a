import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { listActivity } from "#app/domain/accounts/activity.server.ts";
import { Refusal } from "#app/domain/errors.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Pagination } from "#app/portal/components/pagination.tsx";
import { Small } from "#app/portal/components/small.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { formatInstant } from "#app/portal/format.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { actorOf, describeAct } from "./activity-words.ts";

export const meta: MetaFunction = () => [{ title: "Activity · Shipping Route Data Service" }];

const pageSize = 25;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const cursor = new URL(args.request.url).searchParams.get("cursor") || undefined;
  const page = await listActivity(ctx, caller, { limit: pageSize, cursor }).catch(emptyIfInvalid);
  return {
    nextCursor: page.nextCursor,
    acts: page.rows.map((act) => ({
      id: act.id,
      words: describeAct(act),
      actor: actorOf(act),
      occurredAt: act.occurredAt.toISOString(),
    })),
  };
};

/** An invalid cursor shows an empty page, as one past the end does. */
const emptyIfInvalid = (error: unknown) => {
  if (error instanceof Refusal && error.code === "invalid") return { rows: [], nextCursor: null };
  throw error;
};

const Activity = () => {
  const { acts, nextCursor } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  return (
    <>
      <PageHeader
        title="Activity"
        description="Changes in your account and who made them, newest first: sign-ins, keys, purchases and settings."
      />
      <Card flush>
        <Table caption="Activity" columns={columns} rows={acts} rowKey={(act) => act.id} empty={<NoActivity />} />
      </Card>
      <Pagination key={search.toString()} nextCursor={nextCursor} />
    </>
  );
};

export default Activity;

type Row = { id: number; words: string; actor: string; occurredAt: string };

const columns: Column<Row>[] = [
  {
    key: "what",
    header: "What",
    primary: true,
    cell: (act) => (
      <>
        <span className="wrap-anywhere">{act.words}</span>
        <Small phone>
          <span className="inline-block first-letter:uppercase">{act.actor}</span>, {formatInstant(act.occurredAt)}
        </Small>
      </>
    ),
  },
  {
    key: "who",
    header: "By",
    desktopOnly: true,
    cell: (act) => (
      <span className="inline-block whitespace-nowrap text-muted first-letter:uppercase">{act.actor}</span>
    ),
  },
  {
    key: "when",
    header: "When",
    desktopOnly: true,
    align: "end",
    cell: (act) => (
      <time dateTime={act.occurredAt} className="whitespace-nowrap text-muted">
        {formatInstant(act.occurredAt)}
      </time>
    ),
  },
];

const NoActivity = () => (
  <EmptyState
    icon="clock"
    title="No such page"
    action={<ButtonLink to="/account/activity">Show newest activity</ButtonLink>}
  >
    The link points to a page of the log that does not exist.
  </EmptyState>
);
