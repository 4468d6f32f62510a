/** How a job is run, whoever calls for it: the embedded scheduler, Inngest, or an operator. */
import { setTimeout as sleep } from "node:timers/promises";
import { withAdvisoryLock } from "../../platform/advisory-lock.server.ts";
import type { Context } from "../context.ts";
import type { Job, Outcome } from "./job.ts";
import { recordedRun } from "./runs.server.ts";

/** @throws whatever the job throws */
export const runJob = (ctx: Context, job: Job): Promise<Outcome> => recordedRun(ctx, job, () => job.run(ctx));

/**
 * Unless a process of this service is at it, or at something of the same lock.
 *
 * @returns null when it was left
 * @throws whatever the job throws
 */
export const runJobAlone = (ctx: Context, job: Job): Promise<Outcome | null> =>
  job.lock === null ? runJob(ctx, job) : withAdvisoryLock(ctx.db, job.lock, "leave", () => runJob(ctx, job));

export type RunNow = { state: "done"; outcome: Outcome } | { state: "failed" | "taken" | "under_way" };

/** Out of its turn. @param patienceMs how long the outcome is waited for; the job goes on without */
export const runJobNow = (ctx: Context, job: Job, patienceMs = 10_000): Promise<RunNow> => {
  const run = runJobAlone(ctx, job).then(
    (outcome): RunNow => (outcome === null ? { state: "taken" } : { state: "done", outcome }),
    (error): RunNow => {
      ctx.log.error("A scheduled job failed", { job: job.id }, error);
      return { state: "failed" };
    },
  );
  return Promise.race([run, sleep<RunNow>(patienceMs, { state: "under_way" }, { ref: false })]);
};
