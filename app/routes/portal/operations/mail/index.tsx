import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { maxAttempts, maxPermanentRejections } from "#app/domain/notifications/policy.ts";
import { countMail, giveUpMail, listMail, mailStates, retryMail } from "#app/domain/operations/mail.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Badge } from "#app/portal/components/badge.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Confirmation } from "#app/portal/components/confirmation.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Pagination } from "#app/portal/components/pagination.tsx";
import { Stat, Stats } from "#app/portal/components/stat.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { Tabs } from "#app/portal/components/tabs.tsx";
import { formAction, operatorForm } from "#app/portal/form-action.server.ts";
import { formatCount, formatInstant, formatNumber } from "#app/portal/format.ts";
import { idField } from "#app/portal/params.ts";
import { searchByParams } from "#app/portal/search-params.server.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "E-mail · Operations · Shipping Route Data Service" }];

const pageSize = 50;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const mailFilter = z.object({ state: z.enum(mailStates).catch("waiting") });
  const state = mailFilter.parse({ state: new URL(args.request.url).searchParams.get("state") ?? undefined }).state;
  const [found, counts] = await Promise.all([
    searchByParams(args.request, mailFilter, ({ cursor }) =>
      listMail(ctx, caller, { state }, { limit: pageSize, cursor }),
    ),
    countMail(ctx, caller),
  ]);
  return {
    ...found,
    rows: found.rows.map(({ createdAt, dueAt, sentAt, givenUpAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      dueAt: dueAt.toISOString(),
      endedAt: (sentAt ?? givenUpAt)?.toISOString() ?? null,
    })),
    state,
    counts: { ...counts, oldest: counts.oldest?.toISOString() ?? null },
    delivers: ctx.mailer.delivers,
  };
};

const messageNumber = z.object({ id: idField });

export const action = (args: ActionFunctionArgs) =>
  formAction<{ message: string }>({
    retry: operatorForm(messageNumber, async ({ ctx, caller }, input) => {
      await retryMail(ctx, caller, input);
      return { message: `We will send message ${input.id} within a minute.` };
    }),
    "give-up": operatorForm(messageNumber, async ({ ctx, caller }, input) => {
      await giveUpMail(ctx, caller, input);
      return { message: `We stopped trying to send message ${input.id}.` };
    }),
  })(args);

const Mail = () => {
  const { rows, nextCursor, problem, state, counts, delivers } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <div className="grid gap-6">
      <PageHeader title="E-mail" description="E-mails that the service sends. Their text is not shown." />
      {answer?.result ? (
        <Alert tone="success" live>
          {answer.result.message}
        </Alert>
      ) : null}
      {answer?.problem ? <FormError message={answer.problem.message} /> : null}
      {problem ? <FormError message={problem.message} /> : null}
      {delivers ? null : (
        <Alert tone="info">
          No mail server is configured: e-mails count as sent once they are in the outbox, and never leave the service.
        </Alert>
      )}
      <Stats>
        <Stat
          label="Waiting"
          value={formatNumber(counts.waiting)}
          note={counts.oldest ? `The oldest since ${formatInstant(counts.oldest)}` : "None overdue"}
        />
        <Stat label="Being retried" value={formatNumber(counts.failing)} note="Included in waiting" />
        <Stat label="Given up" value={formatNumber(counts.givenUp)} note="Until an operator retries" />
      </Stats>
      <Tabs
        label="State"
        tabs={[
          { label: "Waiting", to: "/operations/mail", current: state === "waiting", count: counts.waiting },
          {
            label: "Given up",
            to: "/operations/mail?state=given_up",
            current: state === "given_up",
            count: counts.givenUp,
          },
          { label: "Sent", to: "/operations/mail?state=sent", current: state === "sent" },
        ]}
      />
      <Card flush>
        <Table
          caption={captions[state]}
          columns={columnsOf(state)}
          rows={rows}
          rowKey={(row) => row.id}
          empty={
            <EmptyState icon={state === "sent" ? "mail" : "check-circle"} title={nothing[state]}>
              {explained[state]}
            </EmptyState>
          }
        />
      </Card>
      <Pagination nextCursor={nextCursor} />
    </div>
  );
};

export default Mail;

const captions = { waiting: "E-mails waiting", given_up: "E-mails given up", sent: "E-mails sent" };
const nothing = { waiting: "No e-mails waiting", given_up: "No e-mails given up", sent: "No e-mails sent yet" };
const explained = {
  waiting: "We send e-mails every minute, and retry failed ones with increasing delays.",
  given_up: `We give up after ${maxAttempts} attempts, or ${maxPermanentRejections} permanent rejections.`,
  sent: "Receipts, reminders and other e-mails appear here once sent.",
};

type Row = ReturnType<typeof useLoaderData<typeof loader>>["rows"][number];
type State = ReturnType<typeof useLoaderData<typeof loader>>["state"];

const subject: Column<Row> = {
  key: "subject",
  header: "Message",
  primary: true,
  cell: (row) => (
    <span className="grid gap-0.5">
      <span className="break-words">{row.subject}</span>
      <span className="break-all font-normal text-[0.8125rem] text-muted">
        {row.id} · to{" "}
        {row.accountId === null ? (
          row.toAddress
        ) : (
          <Link to={`/operations/accounts/${row.accountId}`} className="link">
            {row.toAddress}
          </Link>
        )}
      </span>
    </span>
  ),
};

const written: Column<Row> = { key: "written", header: "Written", cell: (row) => formatInstant(row.createdAt) };

const tries: Column<Row> = {
  key: "tries",
  header: "Attempts",
  cell: (row) =>
    row.lastError === null ? (
      <span className="text-muted">None yet</span>
    ) : (
      <span className="grid max-w-80 gap-1">
        <span>
          <Badge tone="danger">{formatCount(row.tries, "try", "tries")}</Badge>
        </span>
        <span className="break-words text-[0.8125rem] text-muted">{row.lastError}</span>
      </span>
    ),
};

const columnsOf = (state: State): Column<Row>[] => {
  if (state === "sent") return [subject, written, { key: "sent", header: "Sent", cell: ended }];
  if (state === "given_up") {
    return [subject, tries, { key: "given-up", header: "Given up", cell: ended }, { ...acts, cell: Retry }];
  }
  return [subject, tries, { key: "due", header: "Next try", cell: (row) => formatInstant(row.dueAt) }, acts];
};

const ended = (row: Row) => (row.endedAt === null ? null : formatInstant(row.endedAt));

const Retry = ({ id }: Row) => (
  <Form method="post" preventScrollReset>
    <input type="hidden" name="id" value={id} />
    <SubmitButton
      name="intent"
      value="retry"
      variant="secondary"
      size="small"
      aria-label={`Retry message ${id}`}
      pendingLabel="Retrying…"
    >
      Try again now
    </SubmitButton>
  </Form>
);

const GiveUp = ({ id, subject }: Row) => (
  <Confirmation
    id={`give-up-${id}`}
    label="Give up"
    name={`Give up on message ${id}`}
    size="small"
    title={`Give up on “${subject}”?`}
    intent="give-up"
    fields={{ id }}
    confirm="Give up"
    keep="Keep trying"
  >
    We stop trying to send it. You can retry it later from the e-mails given up.
  </Confirmation>
);

const acts: Column<Row> = {
  key: "acts",
  header: "Actions",
  quietHeader: true,
  align: "end",
  cell: (row) => (
    <div className="flex flex-wrap items-start justify-end gap-2">
      <Retry {...row} />
      <GiveUp {...row} />
    </div>
  ),
};
