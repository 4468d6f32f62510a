import { cron, type Inngest, type InngestFunction } from "inngest";
import type { Context } from "../app/domain/context.ts";
import type { Job, Outcome } from "../app/domain/jobs/job.ts";
import { allJobs } from "../app/domain/jobs/registry.server.ts";
import { runJobAlone } from "../app/domain/jobs/run.server.ts";
import { noteCall } from "../app/domain/jobs/standing.server.ts";

/** Every job of the registry as an Inngest function: one run at a time, with retries. */
export const inngestFunctions = (client: Inngest, ctx: Context, signal: AbortSignal): InngestFunction.Any[] =>
  allJobs.map((job) => functionOf(client, ctx, job, signal));

/** One step per job: a job resumes where an interrupted run stopped, so steps of its own would add nothing. */
const functionOf = (client: Inngest, ctx: Context, job: Job, signal: AbortSignal): InngestFunction.Any =>
  client.createFunction(
    { id: job.id, triggers: [cron(`TZ=UTC ${job.cron}`)], concurrency: { limit: 1 }, retries: 3 },
    ({ step }) => step.run(job.id, () => runHere(ctx, job, signal)),
  );

/** The error stays in our log: Inngest would store its text, which may contain personal data. */
const runHere = async (ctx: Context, job: Job, signal: AbortSignal): Promise<Outcome> => {
  const outcome = await attempt(ctx, job, signal);
  if (outcome === null) throw new Error("Another run is under way; try again later");
  if (signal.aborted) throw new Error("The service is stopping; try again later");
  return outcome;
};

const attempt = async (ctx: Context, job: Job, signal: AbortSignal): Promise<Outcome | null> => {
  try {
    await noteCall(ctx);
    return await runJobAlone(ctx, job, signal);
  } catch (error) {
    ctx.log.error("A scheduled job failed", { job: job.id }, error);
    throw new Error("The job failed; the service's log says why");
  }
};
