/**
 * The embedded scheduler, which runs jobs inside the server process. Without Inngest it runs all of them; with Inngest,
 * those that Inngest has missed. Every process has one, and advisory locks in the database keep them from running the same
 * job at the same time.
 */
import { withAdvisoryLock } from "../../platform/advisory-lock.server.ts";
import { asLongWork } from "../../platform/time-budget.server.ts";
import type { Context } from "../context.ts";
import { groupBy } from "../group-by.ts";
import { isIncomplete, isInRetryBackoff, isOverdue, type Job, type JobState } from "./job.ts";
import * as queries from "./queries.server.ts";
import { allJobs, hourlyJobs, minuteJobs } from "./registry.server.ts";
import { runJob } from "./run.server.ts";
import { silentSince } from "./standing.server.ts";

export type Scheduler = {
  /** Starts no more work and resolves when running work has ended. Abort the signal first to end it early. */
  stop(): Promise<void>;
  /** How many pieces of work are running. */
  running(): number;
};

export type SchedulerOptions = {
  /** Aborted when the service stops. */
  signal: AbortSignal;
  /** After how many minutes a run that Inngest has missed runs here instead. 0: never. Null: Inngest is not used. */
  fallbackMinutes: number | null;
};

/** Catches up with missed work, then looks for due jobs every minute. */
export const startScheduler = (ctx: Context, options: SchedulerOptions): Scheduler => {
  const started = { at: ctx.clock.now(), really: ctx.deviceClock.now() };
  const runningWork = new Set<Promise<void>>();
  const begin = (work: () => Promise<void>) => {
    const running: Promise<void> = asLongWork(work)
      .catch((error) => ctx.log.error("Scheduled work could not be started", {}, error))
      .finally(() => runningWork.delete(running));
    runningWork.add(running);
  };
  begin(() => catchUp(ctx, options.signal));
  const timer = setInterval(() => begin(() => runWhatIsDue(ctx, started, options)), 60_000);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      while (runningWork.size > 0) await Promise.all(runningWork);
    },
    running: () => runningWork.size,
  };
};

const atStartup = new Set<Job>([...hourlyJobs, ...minuteJobs]);

/** At startup, runs the hourly jobs, those of every minute, and every other job that was cut short or has missed its schedule. */
export const catchUp = (ctx: Context, signal: AbortSignal): Promise<void> => {
  const now = ctx.clock.now();
  const isWanted = (job: Job, state: JobState | undefined) =>
    (atStartup.has(job) && (state?.completedAt ?? epoch) < now) ||
    isIncomplete(state) ||
    isOverdue(job, state, { now, since: now, lateMs: 0 });
  return runJobs(ctx, isWanted, signal);
};
const epoch = new Date(0);

/** Runs the jobs that are due now. @param started when the scheduler started, by the service's clock and in real time */
export const runWhatIsDue = async (
  ctx: Context,
  started: { at: Date; really: Date },
  { signal, fallbackMinutes }: SchedulerOptions,
): Promise<void> => {
  const lateMs = await lateness(ctx, started.really, fallbackMinutes);
  if (lateMs === null || signal.aborted) return;
  const isWanted = (job: Job, state: JobState | undefined) => {
    const now = ctx.clock.now();
    return isOverdue(job, state, { now, since: started.at, lateMs }) && !isInRetryBackoff(state, now);
  };
  await runJobs(ctx, isWanted, signal);
};

/** How overdue a job must be to run here: 0 without Inngest or while it is silent. Null: no job runs here. */
const lateness = async (ctx: Context, startedAt: Date, fallbackMinutes: number | null): Promise<number | null> => {
  if (fallbackMinutes === null) return 0;
  if (fallbackMinutes === 0) return null;
  const fallbackMs = fallbackMinutes * 60_000;
  const silentMs = ctx.deviceClock.now().getTime() - (await silentSince(ctx, startedAt)).getTime();
  return silentMs >= fallbackMs ? 0 : fallbackMs;
};

/**
 * Runs the jobs that `isWanted` selects. Jobs that share a lock run in registry order, unless another process holds the
 * lock; jobs without a lock run last and at the same time, so that slow webhooks do not hold up mail. A failing job does not stop the rest.
 */
const runJobs = async (
  ctx: Context,
  isWanted: (job: Job, state: JobState | undefined) => boolean,
  signal: AbortSignal,
): Promise<void> => {
  const selectJobs = async (jobs: readonly Job[]) => {
    const states = new Map((await queries.findStates(ctx.db)).map((state) => [state.job, state]));
    return jobs.filter((job) => isWanted(job, states.get(job.id)));
  };
  const runInTurn = async (jobs: readonly Job[]) => {
    for (const job of jobs) {
      if (signal.aborted) return;
      await runJob(ctx, job, signal).catch((error) => ctx.log.error("A scheduled job failed", { job: job.id }, error));
    }
  };
  const byLock = groupBy(await selectJobs(allJobs), ({ lock }) => lock);
  const locked = [...byLock].map(([lock, jobs]) =>
    // Another process may have run them while this one waited for a connection to take the lock: select again.
    lock === null ? null : withAdvisoryLock(ctx.db, lock, "leave", async () => runInTurn(await selectJobs(jobs))),
  );
  await Promise.all(locked);
  await Promise.all((byLock.get(null) ?? []).map((job) => runInTurn([job])));
};
