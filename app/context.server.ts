/** Builds the real Context once per process. The only place that wires the parts together. */
import { randomBytes } from "node:crypto";
import { type InngestHandler, inngestHandler } from "../inngest/handler.server.ts";
import { keepRegistered } from "../inngest/registration.server.ts";
import { shiftedClock, systemClock } from "./domain/clock.ts";
import type { Context } from "./domain/context.ts";
import { type Scheduler, startScheduler } from "./domain/jobs/scheduler.server.ts";
import { outboxOnly } from "./domain/notifications/mailer.ts";
import { smtpMailer } from "./domain/notifications/smtp.server.ts";
import { simulatedPayments } from "./domain/payments/simulated.server.ts";
import type { Simulator } from "./domain/payments/simulator.server.ts";
import { stripeGateway } from "./domain/payments/stripe.server.ts";
import { createRateLimiter } from "./domain/rate-limit/create-limiter.server.ts";
import { handlePaymentEvent } from "./domain/subscriptions/payment-events.server.ts";
import {
  clockChannel,
  readTestClock,
  resumeMove,
  type TestModeControls,
} from "./domain/test-mode/test-clock.server.ts";
import { withTimeout } from "./domain/with-timeout.ts";
import { openDatabase } from "./platform/db.server.ts";
import { type Config, readConfig } from "./platform/env.server.ts";
import { jsonLog } from "./platform/log.server.ts";
import { isForeignHost } from "./platform/own-host.ts";
import { sealerOf } from "./platform/sealer.server.ts";

export type Service = {
  ctx: Context;
  config: Config;
  /** What exists in test mode only: the payment simulator and the controls of the clock. Null elsewhere. */
  testMode: { simulator: Simulator; controls: TestModeControls; movesUnderWay: Set<Promise<unknown>> } | null;
  /** Answers Inngest's calls; null without Inngest. */
  handleInngest: InngestHandler | null;
  /** When this process started, by the service's clock and by the system's. */
  started: { at: Date; really: Date };
  /** Aborted at shutdown; long work then ends at its next safe point. */
  stopping: AbortSignal;
  /** How many requests were not counted because the limiter's store was away. */
  rateLimitFailures(): number;
  close(): Promise<void>;
};

const build = async (): Promise<Service> => {
  const config = readConfig(process.env);
  const { db, follow, close } = openDatabase(config.databaseUrl ?? embeddedDatabaseUrl(), {
    requestWaitMs: config.databaseWaitMs,
  });
  const log = jsonLog();
  const rateLimiter = await createRateLimiter(config.redis, log);
  let aheadMs = config.testMode ? await readTestClock({ db }) : 0;
  /** Only forward, as an older reading of the database may arrive after a newer one. */
  const moveClockTo = (ahead: number) => {
    aheadMs = Math.max(aheadMs, ahead);
  };
  if (config.testMode) {
    const catchUp = () => readTestClock({ db }).then(moveClockTo);
    // While the database is away this fails; it runs again when the connection is back.
    await follow(clockChannel, () => void catchUp().catch(() => {}));
  }
  const clock = shiftedClock(systemClock, () => aheadMs);
  const sealer = sealerOf(config.secretsKey ?? secretsKeyMissing());
  const random = { bytes: (length: number) => randomBytes(length) };

  const movesUnderWay = new Set<Promise<unknown>>();
  const simulated = config.testMode
    ? simulatedPayments(
        { db, clock, random, log },
        {
          baseUrl: config.appUrl,
          deliver: async (rawBody, signature) => {
            await handlePaymentEvent(ctx, { rawBody, signature });
            return { status: 200 };
          },
        },
      )
    : null;

  const ctx: Context = {
    db,
    clock,
    deviceClock: systemClock,
    random,
    log,
    sealer,
    payments: simulated?.payments ?? realPayments(config),
    rateLimiter,
    mailer: config.mail ? smtpMailer(config.mail) : outboxOnly,
    settings: {
      appUrl: config.appUrl,
      testMode: config.testMode,
      requireHttps: config.environment === "production",
      trustedProxies: config.trustedProxies,
    },
  };
  return {
    ctx,
    config,
    testMode: simulated && {
      simulator: simulated.simulator,
      controls: {
        moveClockTo,
        idle: simulated.simulator.idle,
        stopping: shutdown.signal,
        inBackground: (move) => {
          movesUnderWay.add(move);
          void move.finally(() => movesUnderWay.delete(move));
        },
      },
      movesUnderWay,
    },
    handleInngest: config.inngest && inngestHandler(ctx, config.inngest, shutdown.signal),
    started: { at: clock.now(), really: systemClock.now() },
    stopping: shutdown.signal,
    rateLimitFailures: rateLimiter.failures,
    close: async () => {
      rateLimiter.close();
      await ctx.mailer.close();
      await close();
    },
  };
};

let service: Promise<Service> | undefined;
let scheduler: Scheduler | undefined;
let registration: Promise<void> | undefined;
const shutdown = new AbortController();

/** Builds the service once. A failed build is not kept: the next call tries again. */
export const getService = (): Promise<Service> => {
  service ??= build().catch((error) => {
    service = undefined;
    throw error;
  });
  return service;
};

/** The service for the routes of test mode. Null outside test mode and for a foreign host: the routes do not exist there. */
export const getTestService = async (request: Request) => {
  const { ctx, config, testMode } = await getService();
  if (!testMode || isForeignHost((name) => request.headers.get(name), ctx.settings)) return null;
  return { ctx, config, testMode };
};

export const getContext = async (): Promise<Context> => (await getService()).ctx;

/** Called by the server once it listens. @returns lines for the operator */
export const ready = async (): Promise<{ testMode: boolean; lines: string[] }> => {
  const { ctx, config, testMode, handleInngest } = await getService();
  if (testMode) {
    await testMode.simulator.redeliver();
    testMode.controls.inBackground(resumeMove(ctx, testMode.controls));
  }
  const { signal } = shutdown;
  scheduler ??= startScheduler(ctx, { signal, fallbackMinutes: config.inngest?.fallbackMinutes ?? null });
  if (config.inngest && handleInngest) {
    registration ??= keepRegistered(ctx, handleInngest, { signingKey: config.inngest.signingKey, signal });
  }
  return { testMode: testMode !== null, lines: [schedulerLine(config), mailLine(config)] };
};

/** None if the server does not call `ready`, as with remix-serve: then no scheduled work runs. */
export const schedulerInUse = ({ inngest }: Config): "inngest" | "embedded" | "none" => {
  if (inngest) return "inngest";
  return scheduler ? "embedded" : "none";
};

const schedulerLine = ({ inngest, appUrl }: Config): string =>
  inngest
    ? `Scheduled work by Inngest, at ${appUrl}/hooks/inngest${inngest.dev ? " (its development server)" : ""}.`
    : "Scheduled work by the embedded scheduler.";

const mailLine = ({ mail, testMode }: Config): string =>
  mail
    ? "Mail is sent by SMTP."
    : `Mail stays in the outbox: SMTP_URL is not set.${testMode ? " Read it at /test-mode/mailbox." : ""}`;

/** Called by the server at shutdown: no more jobs start, and running ones end at their next safe point. */
export const stopping = (): void => shutdown.abort();

/** What `stop` still has to wait for. */
export const unfinished = (): { jobs: number } => ({ jobs: scheduler?.running() ?? 0 });

/** Called by the server when the last request has been answered. */
export const stop = async (): Promise<void> => {
  stopping();
  if (!service) return;
  const { ctx, testMode, close } = await service;
  const working = Promise.all([scheduler?.stop(), registration, ...(testMode?.movesUnderWay ?? [])]);
  // Work that a silent database keeps from ending is done again at the next start.
  await withTimeout(
    longestStopMs,
    working.then(() => testMode?.simulator.stop()),
  ).catch((error) => ctx.log.warn("Work was left unfinished", { error: String(error) }));
  await close();
};

const longestStopMs = 20_000;

const realPayments = ({ stripe, stripeApiBaseUrl }: Config) => {
  if (!stripe) throw new Error("Stripe's keys are missing"); // readConfig refuses to start without them
  return stripeGateway({ ...stripe, ...(stripeApiBaseUrl === null ? {} : { apiBaseUrl: stripeApiBaseUrl }) });
};

const secretsKeyMissing = (): never => {
  throw new Error(
    "SECRETS_KEY is not set: start the service with `npm start`, which keeps one, or make one with `openssl rand -base64 32`",
  );
};

const embeddedDatabaseUrl = (): never => {
  throw new Error("DATABASE_URL is not set: start the service with `npm start`, which brings its own PostgreSQL");
};
