import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { getService } from "#app/context.server.ts";
import { notFound, Refusal } from "#app/domain/errors.ts";
import { nextRunOf } from "#app/domain/jobs/job.ts";
import { inngestSilentMinutes, overdueMinutes, recentFailureDays, runRetentionDays } from "#app/domain/jobs/policy.ts";
import { allJobs } from "#app/domain/jobs/registry.server.ts";
import { type RunNow, runJobNow } from "#app/domain/jobs/run.server.ts";
import { jobHistories, recordRunRequest } from "#app/domain/jobs/runs.server.ts";
import { standingOf } from "#app/domain/jobs/standing.server.ts";
import { counted } from "#app/domain/wording.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Badge } from "#app/portal/components/badge.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { DescriptionList } from "#app/portal/components/description-list.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { formAction, operatorForm } from "#app/portal/form-action.server.ts";
import { formatCount, formatInstant } from "#app/portal/format.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { RunState } from "./run-state.tsx";
import { jobInWords, outcomeInWords, scheduleInWords } from "./words.ts";

export const meta: MetaFunction = () => [{ title: "Jobs · Operations · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const { config, started } = await getService();
  const [histories, standing] = await Promise.all([
    jobHistories(ctx, caller),
    standingOf(ctx, { usesInngest: config.inngest !== null, started }),
  ]);
  const now = ctx.clock.now();
  return {
    standing: {
      status: standing.status,
      inngest: standing.inngest && {
        lastCallAt: standing.inngest.lastCallAt?.toISOString() ?? null,
        registeredAt: standing.inngest.registeredAt?.toISOString() ?? null,
        registrationError: standing.inngest.registrationError,
      },
    },
    jobs: allJobs.map((job) => {
      const { lastRun = null, recentFailures = 0 } = histories.get(job.id) ?? {};
      return {
        id: job.id,
        does: job.does,
        cron: job.cron,
        isQuiet: job.quiet,
        nextRun: nextRunOf(job, now)?.toISOString() ?? null,
        lastRun: lastRun && {
          startedAt: lastRun.startedAt.toISOString(),
          endedAt: lastRun.endedAt?.toISOString() ?? null,
          outcome: lastRun.outcome,
          interrupted: lastRun.interrupted,
          error: lastRun.error,
        },
        recentFailures,
        isOverdue: standing.overdueJobs.includes(job.id),
      };
    }),
  };
};

type Done = { job: string; ran: RunNow };

export const action = (args: ActionFunctionArgs) =>
  formAction<Done>({
    run: operatorForm(z.object({ job: z.string() }), async ({ ctx, caller }, input) => {
      const job = allJobs.find(({ id }) => id === input.job);
      if (!job) throw notFound("Job");
      await recordRunRequest(ctx, caller, { job: job.id });
      const ran = await runJobNow(ctx, job, (await getService()).stopping);
      if (ran.state === "failed") {
        throw new Refusal("conflict", `${jobInWords(job.id)} failed. The service's log says why`);
      }
      return { job: job.id, ran };
    }),
  })(args);

const Jobs = () => {
  const { jobs, standing } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Jobs"
        description="Scheduled work. You can run a job at any time; it does only what is due."
        actions={
          <ButtonLink to="/operations/jobs/runs" icon="clock">
            All runs
          </ButtonLink>
        }
      />
      {answer?.result ? <Ran {...answer.result} /> : null}
      {answer?.problem ? <FormError message={answer.problem.message} /> : null}
      <StandingOfWork {...standing} />
      <Card flush>
        <Table caption="Jobs" columns={columns} rows={jobs} rowKey={(job) => job.id} />
      </Card>
      <p className="text-[0.8125rem] text-muted">
        Runs are kept for {counted(runRetentionDays, "day")}. For jobs that run every minute, only runs that did
        something or failed are recorded.
      </p>
    </div>
  );
};

export default Jobs;

const Ran = ({ job, ran }: Done) =>
  ran.state === "done" ? (
    <Alert tone="success" live>
      {jobInWords(job)}: {outcomeInWords(ran.outcome)}.
    </Alert>
  ) : ran.state === "taken" ? (
    <Alert tone="info" live>
      {jobInWords(job)} did not run: it is already running, or waits for another job to finish.
    </Alert>
  ) : (
    <Alert tone="info" live>
      {jobInWords(job)} is still running. Reload this page to see the outcome.
    </Alert>
  );

/** Problems of scheduled work as a whole, and when Inngest and the service last reached each other. */
const StandingOfWork = ({ status, inngest }: LoaderData["standing"]) => (
  <>
    {status === "ok" ? null : (
      <Alert tone={status === "inngest_unregistered" ? "warning" : "danger"} title={troubles[status].title}>
        {troubles[status].advice}
      </Alert>
    )}
    {inngest ? (
      <Card title="Inngest">
        <DescriptionList
          facts={[
            { term: "Last call", description: inngest.lastCallAt ? <Moment at={inngest.lastCallAt} /> : "Never" },
            {
              term: "Last registration",
              description: inngest.registeredAt ? <Moment at={inngest.registeredAt} /> : "Never",
            },
            ...(inngest.registrationError === null
              ? []
              : [{ term: "Registration failed", description: inngest.registrationError }]),
          ]}
        />
      </Card>
    ) : null}
  </>
);

const Moment = ({ at }: { at: string }) => <time dateTime={at}>{formatInstant(at)}</time>;

const troubles = {
  overdue: {
    title: "Some jobs are overdue",
    advice: `They missed their schedule by more than ${counted(overdueMinutes, "minute")}. The list below shows which.`,
  },
  inngest_silent: {
    title: "No calls from Inngest",
    advice: `Inngest has not called for ${counted(inngestSilentMinutes, "minute")}. Check that it is running and can reach this service.`,
  },
  inngest_unregistered: {
    title: "Registration with Inngest fails",
    advice:
      "Inngest may not know the current schedules. The service keeps trying. Check the address and the signing key.",
  },
} as const;

type LoaderData = ReturnType<typeof useLoaderData<typeof loader>>;
type Row = LoaderData["jobs"][number];

const columns: Column<Row>[] = [
  {
    key: "job",
    header: "Job",
    primary: true,
    cell: (row) => (
      <span className="grid gap-0.5">
        <Link to={`/operations/jobs/runs?job=${row.id}`} prefetch="intent" className="link">
          {jobInWords(row.id)}
        </Link>
        <span className="font-normal text-[0.8125rem] text-muted">{row.does}</span>
      </span>
    ),
  },
  {
    key: "schedule",
    header: "Schedule",
    cell: (row) => (
      <span className="grid gap-0.5">
        {scheduleInWords(row.cron)}
        {row.nextRun ? (
          <span className="whitespace-nowrap text-[0.8125rem] text-muted">Next {formatInstant(row.nextRun)}</span>
        ) : null}
        {row.isOverdue ? (
          <span>
            <Badge tone="danger" dot>
              Overdue
            </Badge>
          </span>
        ) : null}
      </span>
    ),
  },
  {
    key: "last",
    header: "Last run",
    cell: (row) =>
      row.lastRun ? (
        <span className="grid gap-1">
          <RunState run={row.lastRun} />
          <time dateTime={row.lastRun.startedAt} className="whitespace-nowrap text-[0.8125rem] text-muted">
            {formatInstant(row.lastRun.startedAt)}
          </time>
        </span>
      ) : (
        <span className="text-muted">{row.isQuiet ? "Nothing to record yet" : "Not yet"}</span>
      ),
  },
  {
    key: "failures",
    header: `Failures in ${counted(recentFailureDays, "day")}`,
    align: "end",
    cell: (row) =>
      row.recentFailures === 0 ? (
        <span className="text-muted">None</span>
      ) : (
        <Link to={`/operations/jobs/runs?job=${row.id}&failed=yes`} className="link text-danger">
          {formatCount(row.recentFailures, "failure")}
        </Link>
      ),
  },
  {
    key: "run",
    header: "Run",
    quietHeader: true,
    align: "end",
    cell: (row) => (
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="run" />
        <SubmitButton
          name="job"
          value={row.id}
          variant="secondary"
          size="small"
          pendingLabel="Running…"
          aria-label={`Run now: ${jobInWords(row.id)}`}
        >
          Run now
        </SubmitButton>
      </Form>
    ),
  },
];
