/** Builds the real Context once per process. The only place that wires the parts together. */
import { randomBytes } from "node:crypto";
import { type InngestHandler, inngestHandler } from "../inngest/handler.server.ts";
import { keepRegistered } from "../inngest/registration.server.ts";
import { version } from "../package.json";
import { readAhead } from "./domain/catalogue/search-index.server.ts";
import { changeSignalOf } from "./domain/changes/signal.server.ts";
import { type Clock, shiftedClock, systemClock } from "./domain/clock.ts";
import type { Context } from "./domain/context.ts";
import type { ProcessFacts } from "./domain/health.server.ts";
import { createLogPartitionsJob } from "./domain/jobs/registry.server.ts";
import { runJobAlone } from "./domain/jobs/run.server.ts";
import { type Scheduler, startScheduler } from "./domain/jobs/scheduler.server.ts";
import { type Figures, serviceFigures } from "./domain/metrics/figures.server.ts";
import { outboxOnly } from "./domain/notifications/mailer.ts";
import { smtpMailer } from "./domain/notifications/smtp.server.ts";
import { contactRecorder, paymentsReachable } from "./domain/payments/reachability.server.ts";
import type { Deliver } from "./domain/payments/simulator/webhooks.server.ts";
import type { Simulator } from "./domain/payments/simulator.server.ts";
import { stripeClient, stripeGateway } from "./domain/payments/stripe.server.ts";
import { stripeTax } from "./domain/payments/stripe-tax.server.ts";
import { testSeller } from "./domain/payments/test-seller.ts";
import { watchedGateway } from "./domain/payments/watched-gateway.ts";
import { createRateLimiter, type RateLimitStore } from "./domain/rate-limit/create-limiter.server.ts";
import { type Observation, startStatusMonitor } from "./domain/status/monitor.server.ts";
import { handlePaymentEvent } from "./domain/subscriptions/payment-events.server.ts";
import { fixedRates } from "./domain/tax/fixed-rates.ts";
import type { SellerTax } from "./domain/tax/reverse-charge.ts";
import type { TaxProvider } from "./domain/tax/tax.ts";
import {
  clockChannel,
  readTestClock,
  resumeMove,
  type TestModeControls,
} from "./domain/test-mode/test-clock.server.ts";
import { startWebhookSender, type WebhookSender } from "./domain/webhooks/sender.server.ts";
import { webhookTransport } from "./domain/webhooks/transport.server.ts";
import { withTimeout } from "./domain/with-timeout.ts";
import { type Follow, openDatabase } from "./platform/db.server.ts";
import { type Config, readConfig } from "./platform/env.server.ts";
import { type LegalTexts, readLegalTexts } from "./platform/legal-texts.server.ts";
import { jsonLog } from "./platform/log.server.ts";
import type { MaybePromise } from "./platform/maybe-promise.ts";
import { registry } from "./platform/metrics/metrics.ts";
import { watchProcess } from "./platform/metrics/process.server.ts";
import type { Snapshot } from "./platform/metrics/registry.ts";
import { prometheusText } from "./platform/metrics/text.ts";
import type { Telemetry } from "./platform/otel.server.ts";
import { isForeignHost } from "./platform/own-host.ts";
import { sealerOf } from "./platform/sealer.server.ts";
import { reportSecurityEvents } from "./platform/security-events.ts";
import { traceWith } from "./platform/tracing.ts";

export type Service = {
  ctx: Context;
  follow: Follow;
  config: Config;
  legal: LegalTexts;
  /** What exists in test mode only: the payment simulator and the controls of the clock. Null elsewhere. */
  testMode: { simulator: Simulator; controls: TestModeControls; movesUnderWay: Set<Promise<unknown>> } | null;
  /** Answers Inngest's calls; null without Inngest. */
  handleInngest: InngestHandler | null;
  /** When this process started, by the service's clock and by the system's. */
  started: { at: Date; really: Date };
  /** Aborted at shutdown; long work then ends at its next safe point. */
  stopping: AbortSignal;
  rateLimitStore: RateLimitStore["kind"];
  /** How many requests were not counted because the limiter's store was away. */
  rateLimitFailures(): number;
  /** Whether the payment provider answers. While the database is away, this process knows of its own calls only. */
  paymentsReachable(): Promise<boolean>;
  /** What metrics say about the whole service. */
  figures: Figures;
  close(): Promise<void>;
};

const build = async (): Promise<Service> => {
  const config = readConfig(process.env);
  const legal = await readLegalTexts(config.legalDir);
  const { db, follow, close } = openDatabase(config.databaseUrl ?? embeddedDatabaseUrl(), {
    requestWaitMs: config.databaseWaitMs,
  });
  const log = jsonLog();
  reportSecurityEvents(log);
  const rateLimitStore = rateLimitStoreOf(config, db);
  const rateLimiter = await createRateLimiter(rateLimitStore, log);
  let aheadMs = config.testMode ? await readTestClock({ db }) : 0;
  /** Only forward, as an older reading of the database may arrive after a newer one. */
  const moveClockTo = (ahead: number) => {
    aheadMs = Math.max(aheadMs, ahead);
  };
  if (config.testMode) {
    const catchUp = () => readTestClock({ db }).then(moveClockTo);
    // While the database is unavailable this fails; it runs again when the connection is back.
    await follow(clockChannel, () => void catchUp().catch(() => {}));
  }
  const clock = shiftedClock(systemClock, () => aheadMs);
  const sealer = sealerOf(config.secretsKey ?? secretsKeyMissing(), config.previousSecretsKeys);
  const random = { bytes: (length: number) => randomBytes(length) };

  const movesUnderWay = new Set<Promise<unknown>>();
  const deliver: Deliver = async (rawBody, signature) => {
    await handlePaymentEvent(ctx, { rawBody, signature });
    return { status: 200 };
  };
  const simulated = config.testMode
    ? (await loadSimulated())({ db, clock, random, log }, { baseUrl: config.appUrl, deliver })
    : null;

  const { payments: gateway, client, taxFor } = simulated ?? realPayments(config, clock);
  const contact = { db, deviceClock: systemClock };
  const { payments, isReachable } = watchedGateway(gateway, systemClock, contactRecorder(contact, log));
  const seller = config.seller ?? (config.testMode ? testSeller : null);

  const ctx: Context = {
    db,
    clock,
    deviceClock: systemClock,
    random,
    log,
    sealer,
    payments,
    tax: taxProviderOf(config.tax, seller, taxFor),
    rateLimiter,
    mailer: config.mail ? smtpMailer(config.mail) : outboxOnly,
    changeSignal: changeSignalOf(follow, log),
    webhooks: webhookTransport({ allowPrivate: config.webhooksAllowPrivate }),
    settings: {
      appUrl: config.appUrl,
      testMode: config.testMode,
      requireHttps: config.environment === "production",
      trustedProxies: config.trustedProxies,
      renewalCapPercent: config.renewalCapPercent,
      renewalConcurrency: config.renewalConcurrency,
      termsVersion: legal.terms.version,
      seller,
      paymentClient: client,
    },
  };
  void readAhead(ctx);
  const started = { at: clock.now(), really: systemClock.now() };
  return {
    ctx,
    follow,
    config,
    legal,
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
    started,
    stopping: shutdown.signal,
    rateLimitStore: rateLimitStore.kind,
    rateLimitFailures: rateLimiter.failures,
    paymentsReachable: () => paymentsReachable(contact).catch(isReachable),
    figures: serviceFigures(ctx, { usesInngest: config.inngest !== null, started }),
    close: async () => {
      rateLimiter.close();
      await ctx.mailer.close();
      await close();
    },
  };
};

/** Counts in memory are those of one process. */
const rateLimitStoreOf = ({ redis, workers }: Config, db: Context["db"]): RateLimitStore =>
  redis.kind === "memory" && workers > 1 ? { kind: "postgres", db } : redis;

/** Called by the server before it listens, so that the first request is seen too. */
export const observe = async (): Promise<void> => {
  const config = readConfig(process.env);
  if (isObserved(config)) watchProcess(version);
  if (config.otlpEndpoint !== null) await startTelemetry();
};

let telemetry: Telemetry | undefined;

/** Every process sends its own; the one with the scheduled work also sends the figures of the database. */
const startTelemetry = async (): Promise<void> => {
  const sdk = await import("./platform/otel.server.ts");
  telemetry ??= sdk.startTelemetry({
    version,
    worker: process.env.SERVICE_WORKER ?? null,
    registry,
    read: () => readMetrics({ service: scheduler !== undefined }),
  });
  traceWith(telemetry.tracer);
};

/** Whether anybody reads the metrics. They are counted in any case. */
const isObserved = ({ metrics, otlpEndpoint }: Config): boolean =>
  metrics.listen !== null || metrics.token !== null || otlpEndpoint !== null;

let service: Promise<Service> | undefined;
let context: MaybePromise<Context> | undefined;
let scheduler: Scheduler | undefined;
let webhookSender: WebhookSender | undefined;
let statusMonitor: { stop(): Promise<void> } | undefined;
let registration: Promise<void> | undefined;
let isReady = false;
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

/** Known at once when the service has been built. */
export const getContext = (): MaybePromise<Context> => {
  context ??= getService().then(
    ({ ctx }) => {
      context = ctx;
      return ctx;
    },
    (error) => {
      context = undefined;
      throw error;
    },
  );
  return context;
};

/**
 * Called by the server once it listens.
 *
 * @param options.schedules whether this process does what only one of several workers has to do: scheduled work, webhooks as
 *   soon as they are due, the registration with Inngest
 * @returns lines for the operator
 */
export const ready = async ({ schedules }: { schedules: boolean }): Promise<{ lines: string[] }> => {
  const { ctx, config, testMode } = await getService();
  if (testMode) {
    await testMode.simulator.redeliver();
    testMode.controls.inBackground(resumeMove(ctx, testMode.controls));
  }
  if (schedules) await startScheduledWork();
  isReady = true;
  return { lines: [schedulerLine(config), mailLine(config), ...sellerLines(config), ...legalLines(config)] };
};

const startScheduledWork = async (): Promise<void> => {
  const built = await getService();
  const { ctx, follow, config, handleInngest } = built;
  const { signal } = shutdown;
  await runJobAlone(ctx, createLogPartitionsJob, signal).catch((error) =>
    ctx.log.error("The request log's partitions were not created", {}, error),
  );
  scheduler ??= startScheduler(ctx, { signal, fallbackMinutes: config.inngest?.fallbackMinutes ?? null });
  webhookSender ??= startWebhookSender(ctx, follow, signal);
  statusMonitor ??= startStatusMonitor(ctx, () => observation(built), signal);
  if (config.inngest && handleInngest) {
    registration ??= keepRegistered(ctx, handleInngest, { signingKey: config.inngest.signingKey, signal });
  }
};

/** Null while the test clock moves: jobs are behind it then. */
const observation = async (service: Service): Promise<Observation | null> =>
  service.testMode && service.testMode.movesUnderWay.size > 0
    ? null
    : { facts: processFacts(service), paymentsReachable: await service.paymentsReachable() };

/** What the health check reports about this process. */
export const processFacts = ({ config, started, rateLimitStore, rateLimitFailures }: Service): ProcessFacts => ({
  version,
  scheduler: schedulerInUse(config),
  started,
  rateLimitStore: rateLimitStore === "tcp" ? "redis" : rateLimitStore,
  rateLimitFailures: rateLimitFailures(),
});

/** The metrics of this process. @param scope.service with those that are read from the database, once for all processes */
export const readMetrics = async (scope: { service: boolean }): Promise<Snapshot> => {
  if (scope.service) await (await getService()).figures.refresh();
  return registry.snapshot(scope);
};

/** The metrics of the service in Prometheus' format. A worker asks the primary process, which asks all workers. */
let scrape = async (): Promise<string> =>
  prometheusText(registry.definitions(), [{ worker: null, snapshot: await readMetrics({ service: true }) }]);

export const metricsText = (): Promise<string> => scrape();

/** Called by the server in a worker. */
export const scrapeWith = (other: typeof scrape): void => {
  scrape = other;
};

/** None if the server does not call `ready`, as with remix-serve: then no scheduled work runs. */
const schedulerInUse = ({ inngest }: Config): "inngest" | "embedded" | "none" => {
  if (inngest) return "inngest";
  return isReady ? "embedded" : "none";
};

const schedulerLine = ({ inngest, appUrl }: Config): string =>
  inngest
    ? `Scheduled work by Inngest, at ${appUrl}/hooks/inngest${inngest.dev ? " (its development server)" : ""}.`
    : "Scheduled work by the embedded scheduler.";

const mailLine = ({ mail, testMode }: Config): string =>
  mail
    ? "Mail is sent by SMTP."
    : `Mail stays in the outbox: SMTP_URL is not set.${testMode ? " Read it at /test-mode/mailbox." : ""}`;

const sellerLines = ({ seller, testMode }: Config): string[] =>
  seller === null && !testMode ? ["Invoices do not name a company: SELLER_NAME is not set."] : [];

const legalLines = ({ legalDir, testMode }: Config): string[] =>
  legalDir === null && !testMode ? ["Terms and privacy policy are templates: LEGAL_DIR is not set."] : [];

/** Called by the server at shutdown: no more jobs start, and running ones end at their next safe point. */
export const stopping = (): void => shutdown.abort();

/** Whether this process still responds, but should get no more requests. */
export const isStopping = (): boolean => shutdown.signal.aborted;

/**
 * For responses that continue until the service stops. remix-serve does not call `stopping`, and at SIGTERM waits until the
 * last response has ended.
 */
export const stoppedBySignal = (): AbortSignal => {
  for (const name of stopSignals) {
    // Without another listener the signal ends the process.
    if (process.listenerCount(name) > 0 && !process.listeners(name).includes(stopping)) process.once(name, stopping);
  }
  return shutdown.signal;
};

const stopSignals = ["SIGTERM", "SIGINT"] as const;

/** What `stop` still has to wait for. */
export const unfinished = (): { jobs: number } => ({ jobs: scheduler?.running() ?? 0 });

/** Called by the server when the last request has been answered. */
export const stop = async (): Promise<void> => {
  stopping();
  if (!service) return;
  const { ctx, testMode, close } = await service;
  const working = Promise.all([
    scheduler?.stop(),
    webhookSender?.stop(),
    statusMonitor?.stop(),
    registration,
    ...(testMode?.movesUnderWay ?? []),
  ]);
  // Work that a silent database keeps from ending is done again at the next start.
  await withTimeout(
    longestStopMs,
    working.then(() => testMode?.simulator.stop()),
  ).catch((error) => ctx.log.warn("Work was left unfinished", { "error.message": String(error) }));
  traceWith(null);
  await withTimeout(longestFlushMs, telemetry?.stop() ?? Promise.resolve()).catch(() => {
    ctx.log.warn("The last traces and metrics were not sent");
  });
  await close();
};

const longestStopMs = 20_000;
/** Of traces and metrics, to a collector that may be away. */
const longestFlushMs = 2_000;

/** Loads the simulator. With real payments it is never loaded: nothing else imports it. */
const loadSimulated = async () => (await import("./domain/payments/simulated.server.ts")).simulatedPayments;

const realPayments = ({ stripe, stripeApiBaseUrl }: Config, clock: Clock) => {
  if (!stripe) throw new Error("Stripe's keys are missing"); // readConfig refuses to start without them
  const { publishableKey, ...secrets } = stripe;
  const address = stripeApiBaseUrl === null ? {} : { apiBaseUrl: stripeApiBaseUrl };
  return {
    payments: stripeGateway({ ...secrets, ...address }),
    client: stripeClient(publishableKey, address.apiBaseUrl),
    taxFor: (seller: SellerTax) => stripeTax({ ...secrets, ...address }, seller, clock),
  };
};

const taxProviderOf = (
  tax: Config["tax"],
  seller: SellerTax | null,
  stripeTaxFor: (seller: SellerTax) => TaxProvider,
): TaxProvider | null => {
  // readConfig refuses to start with Stripe Tax and without a seller.
  if (tax.kind === "stripe" && seller) return stripeTaxFor(seller);
  if (tax.kind === "fixed") {
    return fixedRates(seller, new Map(tax.rates.map(({ country, ...rate }) => [country, rate])));
  }
  // Without rates the reverse charge still applies to sellers with a tax number.
  return seller?.taxId ? fixedRates(seller, new Map()) : null;
};

const secretsKeyMissing = (): never => {
  throw new Error(
    "SECRETS_KEY is not set: start the service with `npm start`, which keeps one, or make one with `openssl rand -base64 32`",
  );
};

const embeddedDatabaseUrl = (): never => {
  throw new Error("DATABASE_URL is not set: start the service with `npm start`, which brings its own PostgreSQL");
};
