import journal from "#drizzle/migrations/meta/_journal.json" with { type: "json" };
import { batch } from "../platform/batch.server.ts";
import type { Trouble } from "../platform/database-trouble.ts";
import { perDatabase } from "../platform/db.server.ts";
import { asRequest } from "../platform/time-budget.server.ts";
import type { Context } from "./context.ts";
import { isoInstant } from "./dates.ts";
import { failureOf } from "./failure.ts";
import * as queries from "./health-queries.server.ts";
import { type Standing, standingOf } from "./jobs/standing.server.ts";
import { countDelayedMail } from "./notifications/outbox.server.ts";

/** What only the process knows about itself. */
export type ProcessFacts = {
  version: string;
  scheduler: "embedded" | "inngest" | "none";
  /** When this process started: `at` by the service's clock, `really` in real time. */
  started: { at: Date; really: Date };
  rateLimitStore: "memory" | "postgres" | "redis" | "upstash";
  rateLimitFailures: number;
};

/** Public, so it contains no addresses and no keys. */
export type Health = {
  /**
   * The outcome of a read and a write on the database. `degraded`: requests are served, but scheduled work is not running
   * as it should; see `scheduled_work`.
   */
  status: "ok" | "degraded" | `database_${Trouble}`;
  now: string;
  version: string;
  test_mode: boolean;
  payments: "simulated" | "stripe";
  scheduler: ProcessFacts["scheduler"];
  /** Null while the database check fails, and in processes that schedule nothing. */
  scheduled_work: ScheduledWork | null;
  rate_limit_store: ProcessFacts["rateLimitStore"];
  /** Requests that this process served without counting them, because the limiter's store was down. */
  rate_limit_failures: number;
  /** Messages that have been due for longer than `delayedMinutes`. Null unless the database can be read and written. */
  mail_delayed: number | null;
};

type ScheduledWork = {
  status: Standing["status"];
  /** Jobs that are overdue by `overdueMinutes` or more. */
  overdue: string[];
  /** The last call from Inngest. Null: none yet, or Inngest is not used. */
  last_call_at: string | null;
  /** The last registration with Inngest. Null: none yet, or Inngest is not used. */
  last_registered_at: string | null;
};

/** Returns within three seconds, even when the database does not answer. */
export const checkHealth = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock" | "settings">,
  facts: ProcessFacts,
): Promise<Health> => {
  const { status, mailDelayed, scheduledWork } = await asRequest(() => probeDatabase(ctx, facts), timeoutMs);
  return {
    status,
    now: isoInstant(ctx.clock.now()),
    version: facts.version,
    test_mode: ctx.settings.testMode,
    payments: ctx.settings.testMode ? "simulated" : "stripe",
    scheduler: facts.scheduler,
    scheduled_work: scheduledWork,
    rate_limit_store: facts.rateLimitStore,
    rate_limit_failures: facts.rateLimitFailures,
    mail_delayed: mailDelayed,
  };
};

/** The schema that this release was made for: its last migration. */
const ownSchema = Math.max(...journal.entries.map(({ when }) => when));

/** `schema_outdated`: migrations are missing. `schema_newer`: a newer release took away what this one uses. */
export type Readiness = "ok" | "schema_outdated" | "schema_newer" | `database_${Trouble}`;

/** Whether requests can be served: reads only the schema's version, within two seconds. */
export const checkReadiness = (ctx: Pick<Context, "db">, schema = ownSchema): Promise<Readiness> =>
  asRequest(async () => {
    try {
      const { reached, needed } = await queries.schemaVersion(ctx.db, schema);
      if (reached === null || reached < schema) return "schema_outdated";
      return needed !== null && needed > schema ? "schema_newer" : "ok";
    } catch (error) {
      const { kind } = failureOf(error);
      if (!kind.startsWith("database_")) throw error;
      return kind as Readiness;
    }
  }, timeoutMs);

const isHealthy = (work: ScheduledWork | null) => work === null || work.status === "ok";

const scheduledWorkOf = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock">,
  { scheduler, started }: ProcessFacts,
): Promise<ScheduledWork | null> => {
  if (scheduler === "none") return null;
  const { status, overdueJobs, inngest } = await standingOf(ctx, { usesInngest: scheduler === "inngest", started });
  const instant = (date: Date | null | undefined) => (date ? isoInstant(date) : null);
  return {
    status,
    overdue: overdueJobs,
    last_call_at: instant(inngest?.lastCallAt),
    last_registered_at: instant(inngest?.registeredAt),
  };
};

/** Well below the five seconds that load balancers wait at least. */
const timeoutMs = 2_000;

type Findings = { status: Health["status"]; mailDelayed: number | null; scheduledWork: ScheduledWork | null };

const probeDatabase = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock">,
  facts: ProcessFacts,
): Promise<Findings> => {
  try {
    const [mailDelayed, scheduledWork] = await Promise.all([
      countDelayedMail(ctx),
      scheduledWorkOf(ctx, facts),
      sharedWrite(ctx.db)(ctx.clock.now()),
    ]);
    return { status: isHealthy(scheduledWork) ? "ok" : "degraded", mailDelayed, scheduledWork };
  } catch (error) {
    const { kind } = failureOf(error);
    if (!kind.startsWith("database_")) throw error;
    return { status: kind as Health["status"], mailDelayed: null, scheduledWork: null };
  }
};

/** The endpoint is public, so concurrent checks share one write. */
const sharedWrite = perDatabase((db) =>
  batch(async (instants: Date[]) => {
    await queries.writeCheck(db, instants.at(-1) as Date);
    return instants.map(() => undefined);
  }),
);
