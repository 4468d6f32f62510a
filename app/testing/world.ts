/**
 * A Context for tests: its own real database with a few demo routes, a clock that moves only when it is set, and
 * the payment simulator behind the real SDK.
 */
import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { accounts as accountsTable, outboxMessages } from "#drizzle/schema/index.ts";
import { readDemoCatalogue } from "#drizzle/seed/catalogue-files.ts";
import {
  type Account,
  asOperator,
  type Caller,
  type OperatorCaller,
  type SessionProof,
} from "../domain/accounts/caller.ts";
import { register } from "../domain/accounts/register.server.ts";
import { openSession, recognise } from "../domain/accounts/session.server.ts";
import { browse } from "../domain/catalogue/browse.server.ts";
import type { RouteSummary } from "../domain/catalogue/browse.ts";
import { importCatalogue } from "../domain/catalogue/import.server.ts";
import { changeSignalOf } from "../domain/changes/signal.server.ts";
import { fixedClock } from "../domain/clock.ts";
import type { Context } from "../domain/context.ts";
import { dayOf } from "../domain/dates.ts";
import { outboxOnly } from "../domain/notifications/mailer.ts";
import { simulatedPayments } from "../domain/payments/simulated.server.ts";
import type { Simulator } from "../domain/payments/simulator.server.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { publishDemoSchedule } from "../domain/schedules/demo/demo-schedule.server.ts";
import { handlePaymentEvent } from "../domain/subscriptions/payment-events.server.ts";
import { type Resolve, webhookTransport } from "../domain/webhooks/transport.server.ts";
import { openDatabase } from "../platform/db.server.ts";
import { sealerOf } from "../platform/sealer.server.ts";
import { cloneDatabase } from "./database.ts";

export const appUrl = "http://localhost:3000";

export type World = {
  ctx: Context;
  clock: ReturnType<typeof fixedClock>;
  /** The clock of the account holders' phones. */
  deviceClock: ReturnType<typeof fixedClock>;
  simulator: Simulator;
  /** Log lines of levels warn and error. */
  complaints: string[];
  /** Creates an account with a bearer token, a confirmed e-mail address and an empty outbox. */
  account(name?: string): Promise<{ account: Account; caller: Caller<SessionProof>; token: string }>;
  /** Creates an operator. */
  operator(): Promise<OperatorCaller>;
  routes: RouteSummary[];
  close(): Promise<void>;
};

/** Long, so that a slow machine does not fail a test. */
const requestWaitMs = 60_000;

const defaultRoutes = ["C-CNSHA-NLRTM-PEL9", "C-CNNGB-GBFXT-MRG9", "B-AUPHE-CNTAO-GRN9"];

export const createWorld = async (
  options: {
    now?: string;
    /** Default: a few demo routes. */
    catalogue?: "empty";
    routeCodes?: string[];
    webhooks?: boolean;
    connections?: number;
    /** Orders are taxed by Stripe Tax, for a seller in this country. Default: no tax. */
    stripeTaxOf?: { country: string };
    /** Webhooks may be sent to private addresses. Default: they may, for receivers on this machine. */
    privateWebhooks?: boolean;
    /** Default: DNS. */
    resolve?: Resolve;
  } = {},
): Promise<World> => {
  const database = await cloneDatabase();
  const { db, follow, close } = openDatabase(database.url, { connections: options.connections ?? 20, requestWaitMs });
  const clock = fixedClock(options.now ?? "2026-11-20T09:30:00Z");
  const deviceClock = fixedClock("2026-11-20T09:30:00Z");
  const random = { bytes: (length: number) => randomBytes(length) };
  const complaints: string[] = [];
  const log = {
    info: () => {},
    warn: (event: string) => complaints.push(event),
    error: (event: string, _fields?: unknown, error?: unknown) => complaints.push(`${event}: ${error}`),
  };
  const { payments, client, simulator, taxFor } = simulatedPayments(
    { db, clock, random, log },
    {
      baseUrl: appUrl,
      // Rejected webhooks are retried a day later, so the simulator does not give up and log them during a test.
      ...(options.webhooks === false ? { retryDelaysMs: [86_400_000] } : {}),
      deliver: async (rawBody, signature) => {
        if (options.webhooks === false) return { status: 503 };
        await handlePaymentEvent(ctx, { rawBody, signature });
        return { status: 200 };
      },
    },
  );
  const ctx: Context = {
    db,
    clock,
    deviceClock,
    random,
    log,
    sealer: sealerOf(randomBytes(32)),
    payments,
    tax: options.stripeTaxOf ? taxFor(options.stripeTaxOf) : null,
    rateLimiter: memoryRateLimiter(),
    mailer: outboxOnly,
    changeSignal: changeSignalOf(follow, log),
    webhooks: webhookTransport({
      allowPrivate: options.privateWebhooks ?? true,
      ...(options.resolve ? { resolve: options.resolve } : {}),
      timeoutMs: 2_000,
    }),
    settings: {
      appUrl,
      testMode: true,
      requireHttps: false,
      trustedProxies: 0,
      renewalCapPercent: 10,
      renewalConcurrency: 4,
      termsVersion: "2026-11-01",
      seller: null,
      paymentClient: client,
    },
  };
  if (options.catalogue !== "empty") {
    const routeCodes = options.routeCodes ?? defaultRoutes;
    await importCatalogue(ctx, readDemoCatalogue({ today: dayOf(clock.now()), routeCodes }).source);
    await publishDemoSchedule(ctx);
  }
  const { rows: routes } = await browse(ctx, {}, { limit: 100 });

  let accounts = 0;
  const account: World["account"] = async (name = `shipper-${++accounts}`) => {
    const origin = { ipAddress: `192.0.2.${++accounts}`, userAgent: "tests" };
    const input = { email: `${name}@example.com`, username: name, password: "correct horse battery" };
    const registered = await register(ctx, input, origin);
    await db.update(accountsTable).set({ emailVerifiedAt: clock.now() }).where(eq(accountsTable.id, registered.id));
    await db.delete(outboxMessages).where(eq(outboxMessages.accountId, registered.id));
    const { token } = await openSession(ctx, registered, "bearer", origin);
    const caller = await recognise(ctx, token, "bearer");
    if (!caller) throw new Error("The new account's token was not recognised");
    return { account: caller.account, caller, token };
  };
  return {
    ctx,
    clock,
    deviceClock,
    simulator,
    complaints,
    routes,
    account,
    operator: async () => {
      const { caller } = await account(`operator-${++accounts}`);
      await db.update(accountsTable).set({ role: "operator" }).where(eq(accountsTable.id, caller.account.id));
      return asOperator({ ...caller, account: { ...caller.account, role: "operator" } });
    },
    close: async () => {
      await simulator.stop();
      await close();
      await database.drop();
    },
  };
};

/** Pays with a card, as a browser does. @returns the status of the response of Stripe's API */
export const payWith = async (
  { simulator }: Pick<World, "simulator">,
  intent: { id: string; clientSecret: string },
  number = "4242424242424242",
): Promise<number> => {
  const form = new URLSearchParams({
    client_secret: intent.clientSecret,
    "payment_method_data[type]": "card",
    "payment_method_data[card][number]": number,
    "payment_method_data[card][exp_month]": "12",
    "payment_method_data[card][exp_year]": "2034",
    "payment_method_data[card][cvc]": "123",
  });
  const url = `${appUrl}/test-mode/stripe/v1/payment_intents/${intent.id}/confirm`;
  return (await simulator.confirmFromBrowser(new Request(url, { method: "POST", body: form }))).status;
};
