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

/** What only the process itself knows. */
export type ProcessFacts = {
  version: string;
  scheduler: "embedded" | "inngest" | "none";
  /** When this process started, by the service's clock and really. */
  started: { at: Date; really: Date };
  rateLimitStore: "memory" | "redis" | "upstash";
  rateLimitFailures: number;
};

/** For everybody's eyes: no addresses, no keys. */
export type Health = {
  /**
   * What the database did when it was asked to read and to write. `degraded`: requests are answered, but scheduled work
   * is not done as it should be; `scheduled_work` says more.
   */
  status: "ok" | "degraded" | `database_${Trouble}`;
  now: string;
  version: string;
  test_mode: boolean;
  payments: "simulated" | "stripe";
  scheduler: ProcessFacts["scheduler"];
  /** Null while the database is away, and where nothing is scheduled. */
  scheduled_work: ScheduledWork | null;
  rate_limit_store: ProcessFacts["rateLimitStore"];
  /** Requests of this process that went uncounted because the limiter's store was away. */
  rate_limit_failures: number;
  /** Messages that have waited to be sent for more than 15 minutes. Null unless the status is ok. */
  mail_delayed: number | null;
};

type ScheduledWork = {
  status: Standing["status"];
  /** Jobs that have missed a scheduled time by more than 30 minutes. */
  overdue: string[];
  /** Of Inngest; null: never, or there is no Inngest. */
  last_call_at: string | null;
  /** At Inngest; null: never, or there is no Inngest. */
  last_registered_at: string | null;
};

/** Answers within three seconds, also when the database does not. */
export const checkHealth = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock" | "settings">,
  facts: ProcessFacts,
): Promise<Health> => {
  const { status, mailDelayed, scheduledWork } = await asRequest(() => askDatabase(ctx, facts), patienceMs);
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

const isWell = (work: ScheduledWork | null) => work === null || work.status === "ok";

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

/** Load balancers wait five seconds or more. */
const patienceMs = 2_000;

type Findings = { status: Health["status"]; mailDelayed: number | null; scheduledWork: ScheduledWork | null };

const askDatabase = async (
  ctx: Pick<Context, "db" | "clock" | "deviceClock">,
  facts: ProcessFacts,
): Promise<Findings> => {
  try {
    await writeOf(ctx.db)(ctx.clock.now());
    const mailDelayed = await countDelayedMail(ctx);
    const scheduledWork = await scheduledWorkOf(ctx, facts);
    return { status: isWell(scheduledWork) ? "ok" : "degraded", mailDelayed, scheduledWork };
  } catch (error) {
    const { kind } = failureOf(error);
    if (!kind.startsWith("database_")) throw error;
    return { status: kind as Health["status"], mailDelayed: null, scheduledWork: null };
  }
};

/** Anybody may ask: those who do at the same time share a write. */
const writeOf = perDatabase((db) =>
  batch(async (moments: Date[]) => {
    await queries.writeCheck(db, moments.at(-1) as Date);
    return moments.map(() => undefined);
  }),
);
