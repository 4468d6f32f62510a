/**
 * The scheduler of a service without Inngest: runs the same jobs inside the server's process. Several processes may
 * have one each; a lock in the database lets one of them do it.
 */
import { Cron } from "croner";
import { withAdvisoryLock } from "../../platform/advisory-lock.server.ts";
import type { Context } from "../context.ts";
import type { Job } from "./job.ts";
import { allJobs, hourlyJobs, mailJob } from "./registry.server.ts";
import { runJob, runJobAlone } from "./run.server.ts";

export type EmbeddedScheduler = {
  /** Begins nothing more, and resolves when what is under way has ended. */
  stop(): Promise<void>;
};

/** Does what has become due at once, and from then on each job by its schedule (UTC). */
export const startEmbeddedScheduler = (ctx: Context): EmbeddedScheduler => {
  const underWay = new Set<Promise<void>>();
  const noted = (work: Promise<unknown>): Promise<void> => {
    const running: Promise<void> = work.then(() => {}).finally(() => underWay.delete(running));
    underWay.add(running);
    return running;
  };
  /** A job that fails keeps no other from being done, and is due again the next time. */
  const reported = (job: Job, work: Promise<unknown>) =>
    work.catch((error) => ctx.log.error("A scheduled job failed", { job: job.id }, error));

  const catchUp = () =>
    withAdvisoryLock(ctx.db, "dueWork", "leave", async () => {
      for (const job of [...hourlyJobs, mailJob]) await reported(job, runJob(ctx, job));
    }).catch((error) => ctx.log.error("The due work could not be begun", {}, error));

  const options = { timezone: "UTC", protect: true, unref: true };
  const crons = allJobs.map((job) => new Cron(job.cron, options, () => noted(reported(job, runJobAlone(ctx, job)))));
  void noted(catchUp());

  return {
    stop: async () => {
      for (const cron of crons) cron.stop();
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
};
