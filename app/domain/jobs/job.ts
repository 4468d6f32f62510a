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
  /** May run at any time, late, and more than once. */
  run(ctx: Context): Promise<Outcome>;
};

/** When the job's schedule calls for it next; null: never. */
export const nextRunOf = (job: Pick<Job, "cron">, after: Date): Date | null =>
  new Cron(job.cron, { timezone: "UTC", paused: true }).nextRun(after);
