/**
 * The scheduler of a service without Inngest: runs the same verbs inside the server's process. Several processes may
 * have one each; a lock in the database lets one of them sweep.
 */
import { Cron } from "croner";
import type { Context } from "../app/domain/context.ts";
import { runDueWork } from "../app/domain/subscriptions/due-work.server.ts";
import { withAdvisoryLock } from "../app/platform/advisory-lock.server.ts";
import { mailJob, nightlyJobs } from "./jobs.ts";

export type EmbeddedScheduler = {
  /** Begins nothing more, and resolves when what is under way has ended. */
  stop(): Promise<void>;
};

/** Sweeps now and at every full hour, sends mail every minute, and does the night's work at night (UTC). */
export const startEmbeddedScheduler = (ctx: Context): EmbeddedScheduler => {
  const underWay = new Set<Promise<void>>();
  const run = (job: string, work: () => Promise<unknown>): Promise<void> => {
    const running: Promise<void> = work()
      .then(
        () => {},
        (error) => ctx.log.error("A scheduled job failed", { job }, error),
      )
      .finally(() => underWay.delete(running));
    underWay.add(running);
    return running;
  };
  const sweep = () => run("sweep", () => withAdvisoryLock(ctx.db, "dueWork", "leave", () => runDueWork(ctx)));

  const options = { timezone: "UTC", protect: true, unref: true };
  const crons = [
    new Cron("0 * * * *", options, sweep),
    new Cron(mailJob.cron, options, () => run(mailJob.id, () => mailJob.run(ctx))),
    ...nightlyJobs.map(
      (job) =>
        new Cron(job.cron, options, () =>
          run(job.id, () => withAdvisoryLock(ctx.db, "nightlyWork", "leave", () => job.run(ctx))),
        ),
    ),
  ];
  sweep();

  return {
    stop: async () => {
      for (const cron of crons) cron.stop();
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
};
