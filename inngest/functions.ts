import { cron, type Inngest, type InngestFunction } from "inngest";
import type { Context } from "../app/domain/context.ts";
import { hourlyJobs, type Job, mailJob, nightlyJobs } from "./jobs.ts";

/** Every job as a function of Inngest: one at a time, and tried again when it fails. What has been done is not redone. */
export const inngestFunctions = (client: Inngest, ctx: Context): InngestFunction.Any[] =>
  [...hourlyJobs, ...nightlyJobs, mailJob].map((job) => functionOf(client, ctx, job));

const functionOf = (client: Inngest, ctx: Context, job: Job): InngestFunction.Any =>
  client.createFunction(
    { id: job.id, triggers: [cron(`TZ=UTC ${job.cron}`)], concurrency: { limit: 1 }, retries: 3 },
    ({ step }) => step.run(job.id, () => job.run(ctx)),
  );
