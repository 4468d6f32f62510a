/**
 * Runs the registry's jobs inside the server's process: without Inngest all of them, with Inngest those that it has
 * missed. Every process has one; a lock in the database lets one of them run a job.
 */
import { withAdvisoryLock } from "../../platform/advisory-lock.server.ts";
import { asLongWork } from "../../platform/time-budget.server.ts";
import type { Context } from "../context.ts";
import { groupBy } from "../group-by.ts";
import { awaitsRetry, isOverdue, type Job, type JobState, wasCutShort } from "./job.ts";
import * as queries from "./queries.server.ts";
import { allJobs, hourlyJobs, mailJob } from "./registry.server.ts";
import { runJob } from "./run.server.ts";
import { silentSince } from "./standing.server.ts";

export type Scheduler = {
  /** Starts nothing more, and resolves when what is under way has ended. Abort the signal first to end it early. */
  stop(): Promise<void>;
  /** How much work is under way. */
  running(): number;
};

export type SchedulerOptions = {
  /** Aborted when the service stops. */
  signal: AbortSignal;
  /** Beside Inngest: after how many minutes a missed run is made up for here; 0: never. Null: there is no Inngest. */
  fallbackMinutes: number | null;
};

/** Catches up with what has become due, and from then on looks every minute for jobs that are due. */
export const startScheduler = (ctx: Context, options: SchedulerOptions): Scheduler => {
  const started = { at: ctx.clock.now(), really: ctx.deviceClock.now() };
  const underWay = new Set<Promise<void>>();
  const begin = (work: () => Promise<void>) => {
    const running: Promise<void> = asLongWork(work)
      .catch((error) => ctx.log.error("Scheduled work could not be started", {}, error))
      .finally(() => underWay.delete(running));
    underWay.add(running);
  };
  begin(() => catchUp(ctx, options.signal));
  const timer = setInterval(() => begin(() => runWhatIsDue(ctx, started, options)), 60_000);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      while (underWay.size > 0) await Promise.all(underWay);
    },
    running: () => underWay.size,
  };
};

const hourlyAndMail = new Set<Job>([...hourlyJobs, mailJob]);

/** Runs, at the start, the hourly jobs and mail, and every other job that was cut short or has missed its time. */
export const catchUp = (ctx: Context, signal: AbortSignal): Promise<void> => {
  const now = ctx.clock.now();
  const wanted = (job: Job, state: JobState | undefined) =>
    (hourlyAndMail.has(job) && (state?.completedAt ?? epoch) < now) ||
    wasCutShort(state) ||
    isOverdue(job, state, { now, since: now, lateMs: 0 });
  return runJobs(ctx, wanted, signal);
};
const epoch = new Date(0);

/** Runs what is due at this moment. @param started when the scheduler started, by the service's clock and in real time */
export const runWhatIsDue = async (
  ctx: Context,
  started: { at: Date; really: Date },
  { signal, fallbackMinutes }: SchedulerOptions,
): Promise<void> => {
  const lateMs = await lateness(ctx, started.really, fallbackMinutes);
  if (lateMs === null || signal.aborted) return;
  const wanted = (job: Job, state: JobState | undefined) => {
    const now = ctx.clock.now();
    return isOverdue(job, state, { now, since: started.at, lateMs }) && !awaitsRetry(state, now);
  };
  await runJobs(ctx, wanted, signal);
};

/** How late a job must be to be run here. Null: nothing is. While Inngest is silent, the schedule is kept to the minute. */
const lateness = async (ctx: Context, startedAt: Date, fallbackMinutes: number | null): Promise<number | null> => {
  if (fallbackMinutes === null) return 0;
  if (fallbackMinutes === 0) return null;
  const fallbackMs = fallbackMinutes * 60_000;
  const silentMs = ctx.deviceClock.now().getTime() - (await silentSince(ctx, startedAt)).getTime();
  return silentMs >= fallbackMs ? 0 : fallbackMs;
};

/**
 * Runs the wanted jobs: those of one lock in the registry's order, unless another process holds the lock; those without
 * a lock last. A job that fails does not keep the others from running.
 */
const runJobs = async (
  ctx: Context,
  wanted: (job: Job, state: JobState | undefined) => boolean,
  signal: AbortSignal,
): Promise<void> => {
  const pick = async (jobs: readonly Job[]) => {
    const states = new Map((await queries.findStates(ctx.db)).map((state) => [state.job, state]));
    return jobs.filter((job) => wanted(job, states.get(job.id)));
  };
  const runInTurn = async (jobs: readonly Job[]) => {
    for (const job of jobs) {
      if (signal.aborted) return;
      await runJob(ctx, job, signal).catch((error) => ctx.log.error("A scheduled job failed", { job: job.id }, error));
    }
  };
  const byLock = groupBy(await pick(allJobs), ({ lock }) => lock);
  const locked = [...byLock].map(([lock, jobs]) =>
    // Another process may have run them while this one waited for the lock's connection: pick again.
    lock === null ? null : withAdvisoryLock(ctx.db, lock, "leave", async () => runInTurn(await pick(jobs))),
  );
  await Promise.all(locked);
  await runInTurn(byLock.get(null) ?? []);
};
