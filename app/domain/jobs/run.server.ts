/** How a job is run, whoever calls for it: the embedded scheduler, Inngest, or an operator. */
import { setTimeout as sleep } from "node:timers/promises";
import { withAdvisoryLock } from "../../platform/advisory-lock.server.ts";
import type { Context } from "../context.ts";
import type { Job, Outcome } from "./job.ts";
import * as queries from "./queries.server.ts";
import { closeInterruptedRuns, recordedRun } from "./runs.server.ts";

/**
 * Runs a job and records the run. Whoever calls holds the job's lock.
 *
 * @throws whatever the job throws
 */
export const runJob = async (ctx: Context, job: Job, signal: AbortSignal): Promise<Outcome> => {
  const startedAt = ctx.clock.now();
  await queries.markStarted(ctx.db, job.id, startedAt);
  // A run that still looks under way lost its lock, and so its process.
  if (job.lock !== null) await closeInterruptedRuns(ctx, job.id);
  const outcome = await recordedRun(ctx, job, signal, () => job.run(ctx, signal));
  if (!signal.aborted) await queries.markCompleted(ctx.db, [job.id], startedAt);
  return outcome;
};

/**
 * Runs a job unless another one of the same lock is under way, in whichever process.
 *
 * @returns null when it did not run
 * @throws whatever the job throws
 */
export const runJobAlone = (ctx: Context, job: Job, signal: AbortSignal): Promise<Outcome | null> =>
  job.lock === null
    ? runJob(ctx, job, signal)
    : withAdvisoryLock(ctx.db, job.lock, "leave", () => runJob(ctx, job, signal));

export type RunNow = { state: "done"; outcome: Outcome } | { state: "failed" | "taken" | "under_way" };

/** Runs a job out of turn. @param patienceMs how long to wait for the outcome; the job goes on after that */
export const runJobNow = (ctx: Context, job: Job, signal: AbortSignal, patienceMs = 10_000): Promise<RunNow> => {
  const run = runJobAlone(ctx, job, signal).then(
    (outcome): RunNow => (outcome === null ? { state: "taken" } : { state: "done", outcome }),
    (error): RunNow => {
      ctx.log.error("A scheduled job failed", { job: job.id }, error);
      return { state: "failed" };
    },
  );
  return Promise.race([run, sleep<RunNow>(patienceMs, { state: "under_way" }, { ref: false })]);
};
