/** The type of a scheduled job, and the rules for when it is due. */
import { Cron } from "croner";
import type { Lock } from "../../platform/advisory-lock.server.ts";
import type { Context } from "../context.ts";

/** What a run did, as counts. */
export type Outcome = Record<string, number>;

export type Job = {
  id: string;
  /** A cron expression with five fields, in UTC. */
  cron: string;
  /** What the job does. Shown to operators. */
  does: string;
  /** Jobs that share a lock run one at a time across all processes. Null: runs of the job may overlap. */
  lock: Lock | null;
  /** Record only runs that did something or failed. */
  quiet: boolean;
  /** One run makes up for many. The test clock then runs the job weekly on its way and at its end, rather than daily. */
  catchesUp?: true;
  /**
   * Must be idempotent: it may run at any time, late, and more than once.
   *
   * @param signal aborted when the service stops; the job then returns at its next safe point, and its next run continues
   *   where it stopped
   */
  run(ctx: Context, signal: AbortSignal): Promise<Outcome>;
};

/** When a job last ran. Both timestamps are the start of a run. */
export type JobState = {
  startedAt: Date;
  /** The start of the last run that completed without failing. Null: none has. */
  completedAt: Date | null;
};

/** The next scheduled time after an instant. Null: the schedule has none. */
export const nextRunOf = (job: Pick<Job, "cron">, after: Date): Date | null =>
  new Cron(job.cron, { timezone: "UTC", paused: true }).nextRun(after);

/** By how much the clocks of processes may differ. */
export const clockToleranceMs = 60_000;

/** Written by a process whose clock was ahead. It must not hold up the job until that time has come. */
const isInFuture = (at: Date, now: Date): boolean => at.getTime() > now.getTime() + clockToleranceMs;

/**
 * Whether a scheduled time has passed without a successful run. A run in the future does not count.
 *
 * @param since where to start in the schedule of a job that has never completed
 * @param lateMs how long ago that scheduled time must be
 */
export const isOverdue = (
  job: Pick<Job, "cron">,
  state: JobState | undefined,
  { now, since, lateMs }: { now: Date; since: Date; lateMs: number },
): boolean => {
  const completedAt = state?.completedAt ?? null;
  const scheduled = nextRunOf(job, completedAt === null || isInFuture(completedAt, now) ? since : completedAt);
  return scheduled !== null && scheduled.getTime() + lateMs <= now.getTime();
};

const retryBackoffMs = 5 * 60_000;

/** Whether it is too early to retry: the last run has not completed, and began within the backoff. */
export const isInRetryBackoff = (state: JobState | undefined, now: Date): boolean =>
  isIncomplete(state) &&
  !isInFuture(state.startedAt, now) &&
  now.getTime() - state.startedAt.getTime() < retryBackoffMs;

/** Whether the last run failed, was interrupted, or is still running. */
export const isIncomplete = (state: JobState | undefined): state is JobState =>
  state !== undefined && (state.completedAt === null || state.completedAt < state.startedAt);
