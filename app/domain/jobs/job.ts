/** A piece of scheduled work, and when it is due. */
import { Cron } from "croner";
import type { Lock } from "../../platform/advisory-lock.server.ts";
import type { Context } from "../context.ts";

/** What a run did, in numbers. */
export type Outcome = Record<string, number>;

export type Job = {
  id: string;
  /** Five fields, UTC. */
  cron: string;
  /** For operators: what it does. */
  does: string;
  /** Jobs that share a lock run one at a time, over all processes. Null: the job may run beside itself. */
  lock: Lock | null;
  /** Only runs that did something or failed are recorded. */
  quiet: boolean;
  /**
   * May run at any time, late, and more than once.
   *
   * @param signal aborted when the service stops: the job then returns at its next safe point, and goes on where it
   *   stopped when it runs again
   */
  run(ctx: Context, signal: AbortSignal): Promise<Outcome>;
};

/** When a job ran last. Both are starts of runs. */
export type JobState = {
  startedAt: Date;
  /** Of the last run that came to its end without a failure; null: none has. */
  completedAt: Date | null;
};

/** When the job's schedule calls for it next; null: never. */
export const nextRunOf = (job: Pick<Job, "cron">, after: Date): Date | null =>
  new Cron(job.cron, { timezone: "UTC", paused: true }).nextRun(after);

/**
 * Whether a scheduled time has passed for which the job has not run successfully.
 *
 * @param since from when on its schedule counts if it has never completed
 * @param lateMs how long ago that time must be at least
 */
export const isOverdue = (
  job: Pick<Job, "cron">,
  state: JobState | undefined,
  { now, since, lateMs }: { now: Date; since: Date; lateMs: number },
): boolean => {
  const scheduled = nextRunOf(job, state?.completedAt ?? since);
  return scheduled !== null && scheduled.getTime() + lateMs <= now.getTime();
};

const retryMs = 5 * 60_000;

/** Whether the last run failed or is still under way, and began less than five minutes ago. */
export const awaitsRetry = (state: JobState | undefined, now: Date): boolean =>
  wasCutShort(state) && now.getTime() - state.startedAt.getTime() < retryMs;

/** Whether the last run failed, was interrupted, or is still under way. */
export const wasCutShort = (state: JobState | undefined): state is JobState =>
  state !== undefined && (state.completedAt === null || state.completedAt < state.startedAt);
