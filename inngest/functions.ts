import { cron, type Inngest, type InngestFunction } from "inngest";
import type { Context } from "../app/domain/context.ts";
import type { Job } from "../app/domain/jobs/job.ts";
import { allJobs } from "../app/domain/jobs/registry.server.ts";
import { runJob } from "../app/domain/jobs/run.server.ts";

/** Every job as a function of Inngest: one at a time, and tried again when it fails. What has been done is not redone. */
export const inngestFunctions = (client: Inngest, ctx: Context): InngestFunction.Any[] =>
  allJobs.map((job) => functionOf(client, ctx, job));

/** One step each: a verb goes on where an interrupted run of it ended, so there is nothing to divide. */
const functionOf = (client: Inngest, ctx: Context, job: Job): InngestFunction.Any =>
  client.createFunction(
    { id: job.id, triggers: [cron(`TZ=UTC ${job.cron}`)], concurrency: { limit: 1 }, retries: 3 },
    ({ step }) => step.run(job.id, () => runHere(ctx, job)),
  );

/** The reason of a failure stays in our log: Inngest would keep the text, which may name people. */
const runHere = async (ctx: Context, job: Job): Promise<Record<string, number>> => {
  try {
    return await runJob(ctx, job);
  } catch (error) {
    ctx.log.error("A scheduled job failed", { job: job.id }, error);
    throw new Error("The job failed; the service's log says why");
  }
};
