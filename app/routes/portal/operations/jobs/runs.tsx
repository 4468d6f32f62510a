import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { runRetentionDays } from "#app/domain/jobs/policy.ts";
import { allJobs } from "#app/domain/jobs/registry.server.ts";
import { type JobRun, listJobRuns } from "#app/domain/jobs/runs.server.ts";
import { counted } from "#app/domain/wording.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import type { Column } from "#app/portal/components/table.tsx";
import { formatDuration, formatSecond } from "#app/portal/format.ts";
import { loadList } from "../list-loader.server.ts";
import { ListPage } from "../list-page.tsx";
import { RunState } from "./run-state.tsx";
import { jobInWords } from "./words.ts";

export const meta: MetaFunction = () => [{ title: "Job runs · Operations · Shipping Route Data Service" }];

const runFilter = z.object({
  job: z.string().optional(),
  failed: z
    .literal("yes")
    .transform(() => true)
    .optional(),
});

export const loader = async (args: LoaderFunctionArgs) => ({
  ...(await loadList(args, runFilter, listJobRuns, runRow)),
  jobs: allJobs.map(({ id }) => id),
});

const runRow = ({ startedAt, endedAt, ...run }: JobRun) => ({
  ...run,
  startedAt: startedAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
  durationMs: endedAt ? endedAt.getTime() - startedAt.getTime() : null,
});

const Runs = () => {
  const { jobs, ...list } = useLoaderData<typeof loader>();
  return (
    <ListPage
      header={{
        breadcrumbs: [{ label: "Jobs", to: "/operations/jobs" }],
        title: "Job runs",
        description: `Every run of the last ${counted(runRetentionDays, "day")}, newest first.`,
      }}
      list={list}
      filters={{
        label: "Runs",
        columns: "lg:grid-cols-[1fr_1fr_auto]",
        fields: [
          {
            kind: "choice",
            name: "job",
            label: "Job",
            any: "Every job",
            options: jobs.map((id) => ({ value: id, label: jobInWords(id) })),
          },
          {
            kind: "choice",
            name: "failed",
            label: "Outcome",
            any: "Any outcome",
            options: [{ value: "yes", label: "Failed" }],
          },
        ],
      }}
      caption="Job runs"
      columns={columns}
      empty={
        <EmptyState
          icon="clock"
          title="No run matches"
          action={<ButtonLink to="/operations/jobs/runs">Show all runs</ButtonLink>}
        >
          For jobs that run every minute, only runs that did something or failed are recorded.
        </EmptyState>
      }
    />
  );
};

export default Runs;

type Row = ReturnType<typeof runRow>;

const columns: Column<Row>[] = [
  {
    key: "started",
    header: "Started (UTC)",
    primary: true,
    cell: (run) => (
      <time dateTime={run.startedAt} className="whitespace-nowrap">
        {formatSecond(run.startedAt)}
      </time>
    ),
  },
  { key: "job", header: "Job", cell: (run) => jobInWords(run.job) },
  { key: "outcome", header: "Outcome", cell: (run) => <RunState run={run} /> },
  {
    key: "duration",
    header: "Duration",
    align: "end",
    cell: (run) => (run.durationMs === null ? <span className="text-muted">–</span> : formatDuration(run.durationMs)),
  },
];
