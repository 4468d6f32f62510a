import type { Context } from "./context.ts";
import { isoInstant } from "./dates.ts";
import { countDelayedMail } from "./notifications/outbox.server.ts";
import { within } from "./within.ts";

/** What only the process itself knows. */
export type ProcessFacts = {
  version: string;
  scheduler: "embedded" | "inngest" | "none";
  rateLimitStore: "memory" | "redis" | "upstash";
  rateLimitFailures: number;
};

/** For everybody's eyes: no addresses, no keys. */
export type Health = {
  status: "ok" | "database_away";
  now: string;
  version: string;
  test_mode: boolean;
  payments: "simulated" | "stripe";
  scheduler: ProcessFacts["scheduler"];
  rate_limit_store: ProcessFacts["rateLimitStore"];
  /** Requests of this process that went uncounted because the limiter's store was away. */
  rate_limit_failures: number;
  /** Messages that have waited to be sent for more than 15 minutes. Null while the database is away. */
  mail_delayed: number | null;
};

/** Answers also when the database does not. */
export const checkHealth = async (
  ctx: Pick<Context, "db" | "clock" | "settings">,
  facts: ProcessFacts,
): Promise<Health> => {
  const mailDelayed = await within(patienceMs, countDelayedMail(ctx)).catch(() => null);
  return {
    status: mailDelayed === null ? "database_away" : "ok",
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
const patienceMs = 3_000;
