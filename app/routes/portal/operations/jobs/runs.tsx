import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { runRetentionDays } from "#app/domain/jobs/policy.ts";
import { allJobs } from "#app/domain/jobs/registry.server.ts";
import { listJobRuns } from "#app/domain/jobs/runs.server.ts";
import { counted } from "#app/domain/wording.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Pagination } from "#app/portal/components/pagination.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { formatDuration, formatSecond } from "#app/portal/format.ts";
import { searchByParams } from "#app/portal/search-params.server.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { ListFilters } from "../list-filters.tsx";
import { RunState } from "./run-state.tsx";
import { jobInWords } from "./words.ts";

export const meta: MetaFunction = () => [{ title: "Runs of jobs · Operations · Shipping Route Data Service" }];

const pageSize = 50;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const runFilter = z.object({ job: z.string().optional(), failed: z.literal("yes").optional() });
  const found = await searchByParams(args.request, runFilter, ({ filter, cursor }) =>
    listJobRuns(ctx, caller, { job: filter.job, failed: filter.failed === "yes" }, { limit: pageSize, cursor }),
  );
  return {
    ...found,
    rows: found.rows.map(({ startedAt, endedAt, ...run }) => ({
      ...run,
      startedAt: startedAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
      durationMs: endedAt ? endedAt.getTime() - startedAt.getTime() : null,
    })),
    jobs: allJobs.map(({ id }) => id),
  };
};

const Runs = () => {
  const { rows, nextCursor, problem } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[{ label: "Jobs", to: "/operations/jobs" }]}
        title="Runs"
        description={`Every run of the last ${counted(runRetentionDays, "day")}, newest first.`}
      />
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      <Filters />
      <Card flush>
        <Table
          caption="Runs of jobs"
          columns={columns}
          rows={rows}
          rowKey={(run) => run.id}
          empty={
            <EmptyState
              icon="clock"
              title="No such run"
              action={<ButtonLink to="/operations/jobs/runs">Show all runs</ButtonLink>}
            >
              For jobs that run every minute, only runs that did something or failed are recorded.
            </EmptyState>
          }
        />
      </Card>
      <Pagination nextCursor={nextCursor} />
    </div>
  );
};

export default Runs;

const Filters = () => {
  const { jobs } = useLoaderData<typeof loader>();
  return (
    <ListFilters label="Runs" names={["job", "failed"]} columns="lg:grid-cols-[1fr_1fr_auto]" act="filter">
      {(value) => (
        <>
          <SelectField
            name="job"
            label="Job"
            defaultValue={value("job")}
            options={[{ value: "", label: "Every job" }, ...jobs.map((id) => ({ value: id, label: jobInWords(id) }))]}
          />
          <SelectField
            name="failed"
            label="Outcome"
            defaultValue={value("failed")}
            options={[
              { value: "", label: "Any outcome" },
              { value: "yes", label: "Failed" },
            ]}
          />
        </>
      )}
    </ListFilters>
  );
};

type Row = ReturnType<typeof useLoaderData<typeof loader>>["rows"][number];

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
