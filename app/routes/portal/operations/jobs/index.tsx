import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { notFound, Refusal } from "../../../../domain/errors.ts";
import { nextRunOf } from "../../../../domain/jobs/job.ts";
import { allJobs } from "../../../../domain/jobs/registry.server.ts";
import { type RunNow, runJobNow } from "../../../../domain/jobs/run.server.ts";
import { jobStates, recordRunRequest } from "../../../../domain/jobs/runs.server.ts";
import { Alert } from "../../../../portal/components/alert.tsx";
import { ButtonLink } from "../../../../portal/components/button.tsx";
import { Card } from "../../../../portal/components/card.tsx";
import { FormError } from "../../../../portal/components/form-error.tsx";
import { PageHeader } from "../../../../portal/components/page-header.tsx";
import { SubmitButton } from "../../../../portal/components/submit-button.tsx";
import { type Column, Table } from "../../../../portal/components/table.tsx";
import { formAction, operatorForm } from "../../../../portal/form-action.server.ts";
import { formatCount, formatInstant } from "../../../../portal/format.ts";
import { visitOfOperator } from "../../../../portal/session.server.ts";
import { RunState } from "./run-state.tsx";
import { jobInWords, outcomeInWords, scheduleInWords } from "./words.ts";

export const meta: MetaFunction = () => [{ title: "Jobs · Operations · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const states = await jobStates(ctx, caller);
  const now = ctx.clock.now();
  return {
    jobs: allJobs.map((job) => {
      const { lastRun = null, recentFailures = 0 } = states.get(job.id) ?? {};
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
          error: lastRun.error,
        },
        recentFailures,
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
      const ran = await runJobNow(ctx, job);
      if (ran.state === "failed") {
        throw new Refusal(
          "conflict",
          `${jobInWords(job.id)} has failed. What the service's log says is more than this`,
        );
      }
      return { job: job.id, ran };
    }),
  })(args);

const Jobs = () => {
  const { jobs } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Jobs"
        description="What the service does by the clock. Running one more often does no harm."
        actions={
          <ButtonLink to="/operations/jobs/runs" icon="clock">
            All runs
          </ButtonLink>
        }
      />
      {answer?.result ? <Ran {...answer.result} /> : null}
      {answer?.problem ? <FormError message={answer.problem.message} /> : null}
      <Card flush>
        <Table caption="Jobs" columns={columns} rows={jobs} rowKey={(job) => job.id} />
      </Card>
      <p className="text-[0.8125rem] text-muted">
        Runs are kept for 30 days. Of what runs every minute, only runs that did something or failed are recorded.
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
      {jobInWords(job)} was left alone: it, or another job that excludes it, is under way.
    </Alert>
  ) : (
    <Alert tone="info" live>
      {jobInWords(job)} is under way and takes longer than usual. Its outcome will stand here.
    </Alert>
  );

type Row = ReturnType<typeof useLoaderData<typeof loader>>["jobs"][number];

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
        {row.nextRun ? <span className="text-[0.8125rem] text-muted">Next {formatInstant(row.nextRun)}</span> : null}
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
          <time dateTime={row.lastRun.startedAt} className="text-[0.8125rem] text-muted">
            {formatInstant(row.lastRun.startedAt)}
          </time>
        </span>
      ) : (
        <span className="text-muted">{row.isQuiet ? "Nothing to record yet" : "Not yet"}</span>
      ),
  },
  {
    key: "failures",
    header: "Failures in 7 days",
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
