/** Runs all scheduled work at once, regardless of the schedules. The test clock and the fault tests use it. */
import type { Context } from "../context.ts";
import type { Outcome } from "./job.ts";
import * as queries from "./queries.server.ts";
import { allJobs } from "./registry.server.ts";
import { recordedRun } from "./runs.server.ts";

export type WorkDone = {
  remindersSent: number;
  chargesSucceeded: number;
  chargesDeclined: number;
  expired: number;
};

/**
 * Runs every job of the registry once, in registry order. A failing job does not stop the rest. Only runs that did
 * something or failed are recorded.
 *
 * @param signal once it is aborted, the running job stops at its next safe point and no further job starts
 * @param isOnTheWay a later call follows at once, which runs the jobs that catch up
 * @throws Error at the end, when any job has failed
 */
export const runDueWork = async (
  ctx: Context,
  signal: AbortSignal = new AbortController().signal,
  { isOnTheWay = false } = {},
): Promise<WorkDone> => {
  const startedAt = ctx.clock.now();
  const outcomes = new Map<string, Outcome>();
  const failed: string[] = [];
  for (const job of allJobs) {
    if (signal.aborted) break;
    if (isOnTheWay && job.catchesUp) {
      // Not overdue: the later run covers this one.
      outcomes.set(job.id, {});
      continue;
    }
    try {
      const outcome = await recordedRun(ctx, { ...job, quiet: true }, signal, () => job.run(ctx, signal));
      outcomes.set(job.id, outcome);
    } catch (error) {
      ctx.log.error("A scheduled job failed", { job: job.id }, error);
      failed.push(job.id);
    }
  }
  if (outcomes.size > 0 && !signal.aborted) await queries.markCompleted(ctx.db, [...outcomes.keys()], startedAt);
  if (failed.length > 0) throw new Error(`Some jobs failed: ${failed.join(", ")}`);
  const count = (job: string, what: string) => outcomes.get(job)?.[what] ?? 0;
  return {
    remindersSent: count("remind", "reminders"),
    chargesSucceeded: count("charge-renewals", "succeeded"),
    chargesDeclined: count("charge-renewals", "declined"),
    expired: count("expire", "expired"),
  };
};

export const nothingDone: WorkDone = { remindersSent: 0, chargesSucceeded: 0, chargesDeclined: 0, expired: 0 };

export const sumOf = (a: WorkDone, b: WorkDone): WorkDone => ({
  remindersSent: a.remindersSent + b.remindersSent,
  chargesSucceeded: a.chargesSucceeded + b.chargesSucceeded,
  chargesDeclined: a.chargesDeclined + b.chargesDeclined,
  expired: a.expired + b.expired,
});
