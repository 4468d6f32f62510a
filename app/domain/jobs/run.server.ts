/** Runs a single job for the embedded scheduler, Inngest or an operator. */
import { setTimeout as sleep } from "node:timers/promises";
import { withAdvisoryLock } from "../../platform/advisory-lock.server.ts";
import type { Context } from "../context.ts";
import type { Job, Outcome } from "./job.ts";
import * as queries from "./queries.server.ts";
import { closeInterruptedRuns, recordedRun } from "./runs.server.ts";

/**
 * Runs a job and records the run. The caller must hold the job's lock.
 *
 * @throws whatever the job throws
 */
export const runJob = async (ctx: Context, job: Job, signal: AbortSignal): Promise<Outcome> => {
  const startedAt = ctx.clock.now();
  await queries.markStarted(ctx.db, job.id, startedAt);
  // This process holds the lock, so a run that still looks open belongs to a process that has died.
  if (job.lock !== null) await closeInterruptedRuns(ctx, job.id);
  const outcome = await recordedRun(ctx, job, signal, () => job.run(ctx, signal));
  if (!signal.aborted) await queries.markCompleted(ctx.db, [job.id], startedAt);
  return outcome;
};

/**
 * Runs a job unless a job with the same lock is running, in any process.
 *
 * @returns null when the lock was taken and the job did not run
 * @throws whatever the job throws
 */
export const runJobAlone = (ctx: Context, job: Job, signal: AbortSignal): Promise<Outcome | null> =>
  job.lock === null
    ? runJob(ctx, job, signal)
    : withAdvisoryLock(ctx.db, job.lock, "leave", () => runJob(ctx, job, signal));

export type RunNow = { state: "done"; outcome: Outcome } | { state: "failed" | "taken" | "under_way" };

/** Runs a job outside its schedule. @param timeoutMs how long to wait for the outcome; the job continues after that */
export const runJobNow = (ctx: Context, job: Job, signal: AbortSignal, timeoutMs = 10_000): Promise<RunNow> => {
  const run = runJobAlone(ctx, job, signal).then(
    (outcome): RunNow => (outcome === null ? { state: "taken" } : { state: "done", outcome }),
    (error): RunNow => {
      ctx.log.error("A scheduled job failed", { job: job.id }, error);
      return { state: "failed" };
    },
  );
  return Promise.race([run, sleep<RunNow>(timeoutMs, { state: "under_way" }, { ref: false })]);
};
