/** The run history of the jobs, as operators see it. */
import { z } from "zod";
import { jobDuration } from "../../platform/metrics/metrics.ts";
import { asLongWork } from "../../platform/time-budget.server.ts";
import { traced } from "../../platform/tracing.ts";
import { recordOperatorAudit } from "../accounts/audit.server.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { millisecondsPerDay } from "../dates.ts";
import { cursorOf, type Page, type PageRequest, pageOf } from "../page.ts";
import type { Outcome } from "./job.ts";
import { recentFailureDays, runRetentionDays } from "./policy.ts";
import * as queries from "./queries.server.ts";

export type JobRun = queries.JobRunRow;

type Recorded = {
  id: string;
  /** Record only runs that did something or failed. For jobs that run every minute. */
  quiet: boolean;
};

/**
 * Does a job's work and records its times and outcome.
 *
 * @param signal if it is aborted by the time the work returns, the run is recorded as interrupted
 * @throws whatever the work throws
 */
export const recordedRun = async (
  ctx: Pick<Context, "db" | "clock">,
  job: Recorded,
  signal: AbortSignal,
  work: () => Promise<Outcome>,
): Promise<Outcome> => {
  const startedAt = ctx.clock.now();
  const begunAt = performance.now();
  const count = (outcome: "succeeded" | "failed" | "interrupted") =>
    jobDuration.observe({ job: job.id, outcome }, (performance.now() - begunAt) / 1_000);
  const id = job.quiet ? null : await queries.insertRun(ctx.db, { job: job.id, startedAt });
  const end = async (result: { outcome: Outcome; interrupted: boolean } | { error: string }) => {
    const endedAt = ctx.clock.now();
    if (id === null) await queries.insertRun(ctx.db, { job: job.id, startedAt, endedAt, ...result });
    else await queries.endRun(ctx.db, id, { endedAt, ...result });
  };
  let outcome: Outcome;
  try {
    outcome = await traced({ name: `job ${job.id}`, attributes: { "job.id": job.id } }, () =>
      asLongWork(work, { requestId: null, job: job.id }),
    );
    count(signal.aborted ? "interrupted" : "succeeded");
  } catch (error) {
    count("failed");
    // An error while recording must not hide the job's own error.
    await end({ error: reasonOf(error) }).catch(() => {});
    throw error;
  }
  if (!job.quiet || Object.values(outcome).some((count) => count > 0)) {
    await end({ outcome, interrupted: signal.aborted });
  }
  return outcome;
};

/** Marks a job's open runs as interrupted. The caller must hold the job's lock, so that none of them is still running. */
export const closeInterruptedRuns = async (ctx: Pick<Context, "db" | "clock">, job: string): Promise<void> => {
  await queries.interruptOpenRuns(ctx.db, job, ctx.clock.now());
};

const maxReasonLength = 200;

/** The first line of the innermost cause, without e-mail addresses. SQL statements and their values go to the log only. */
const reasonOf = (error: unknown): string => {
  let cause = error;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  const [line = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
  return line.replace(/\S+@\S+/g, "…").slice(0, maxReasonLength) || "Failed without an error message";
};

export type JobHistory = { lastRun: JobRun | null; recentFailures: number };

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * millisecondsPerDay);

/** The last run of each job and its failures within `recentFailureDays`. Jobs that have never run are missing. */
export const jobHistories = async (
  ctx: Pick<Context, "db" | "clock">,
  _operator: OperatorCaller,
): Promise<Map<string, JobHistory>> => {
  const [runs, failures] = await Promise.all([
    queries.lastRuns(ctx.db),
    queries.failuresSince(ctx.db, daysBefore(ctx.clock.now(), recentFailureDays)),
  ]);
  const failuresOf = new Map(failures.map(({ job, failures }) => [job, failures]));
  return new Map(runs.map((run) => [run.job, { lastRun: run, recentFailures: failuresOf.get(run.job) ?? 0 }]));
};

/** Newest first. @throws invalid for a cursor of another list */
export const listJobRuns = async (
  ctx: Pick<Context, "db">,
  _operator: OperatorCaller,
  filter: { job?: string | undefined; failed?: boolean | undefined },
  page: PageRequest,
): Promise<Page<JobRun>> => {
  const [before] = runCursor.read(page.cursor) ?? [null];
  const found = await queries.pageRuns(
    ctx.db,
    { job: filter.job, failed: filter.failed ?? false },
    { limit: page.limit, before },
  );
  return pageOf(found, page.limit, ({ id }) => runCursor.write([id]));
};

const runCursor = cursorOf(z.tuple([z.int().min(0)]));

/** Records in the audit log which operator started a job outside its schedule. */
export const recordRunRequest = async (
  ctx: Pick<Context, "db" | "clock">,
  operator: OperatorCaller,
  input: { job: string },
): Promise<void> => recordOperatorAudit(ctx.db, operator, null, "job.run_requested", ctx.clock.now(), input);

/** Deletes runs older than `runRetentionDays`. @returns how many */
export const deleteOldRuns = (ctx: Pick<Context, "db" | "clock">): Promise<number> =>
  queries.deleteRunsBefore(ctx.db, daysBefore(ctx.clock.now(), runRetentionDays));
