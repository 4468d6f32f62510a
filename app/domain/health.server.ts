import { batch } from "../platform/batch.server.ts";
import type { Trouble } from "../platform/database-trouble.ts";
import { perDatabase } from "../platform/db.server.ts";
import { asRequest } from "../platform/time-budget.server.ts";
import type { Context } from "./context.ts";
import { isoInstant } from "./dates.ts";
import { failureOf } from "./failure.ts";
import * as queries from "./health-queries.server.ts";
import { countDelayedMail } from "./notifications/outbox.server.ts";

/** What only the process itself knows. */
export type ProcessFacts = {
  version: string;
  scheduler: "embedded" | "inngest" | "none";
  rateLimitStore: "memory" | "redis" | "upstash";
  rateLimitFailures: number;
};

/** For everybody's eyes: no addresses, no keys. */
export type Health = {
  /** What the database did when it was asked to read and to write. */
  status: "ok" | `database_${Trouble}`;
  now: string;
  version: string;
  test_mode: boolean;
  payments: "simulated" | "stripe";
  scheduler: ProcessFacts["scheduler"];
  rate_limit_store: ProcessFacts["rateLimitStore"];
  /** Requests of this process that went uncounted because the limiter's store was away. */
  rate_limit_failures: number;
  /** Messages that have waited to be sent for more than 15 minutes. Null unless the status is ok. */
  mail_delayed: number | null;
};

/** Answers within three seconds, also when the database does not. */
export const checkHealth = async (
  ctx: Pick<Context, "db" | "clock" | "settings">,
  facts: ProcessFacts,
): Promise<Health> => {
  const { status, mailDelayed } = await asRequest(() => askDatabase(ctx), patienceMs);
  return {
    status,
    now: isoInstant(ctx.clock.now()),
    version: facts.version,
    test_mode: ctx.settings.testMode,
    payments: ctx.settings.testMode ? "simulated" : "stripe",
    scheduler: facts.scheduler,
    rate_limit_store: facts.rateLimitStore,
    rate_limit_failures: facts.rateLimitFailures,
    mail_delayed: mailDelayed,
  };
};

/** Load balancers wait five seconds or more. */
const patienceMs = 2_000;

const askDatabase = async (
  ctx: Pick<Context, "db" | "clock">,
): Promise<{ status: Health["status"]; mailDelayed: number | null }> => {
  try {
    await writeOf(ctx.db)(ctx.clock.now());
    return { status: "ok", mailDelayed: await countDelayedMail(ctx) };
  } catch (error) {
    const { kind } = failureOf(error);
    if (!kind.startsWith("database_")) throw error;
    return { status: kind as Health["status"], mailDelayed: null };
  }
};

/** Anybody may ask: those who do at the same time share a write. */
const writeOf = perDatabase((db) =>
  batch(async (moments: Date[]) => {
    await queries.writeCheck(db, moments.at(-1) as Date);
    return moments.map(() => undefined);
  }),
);
