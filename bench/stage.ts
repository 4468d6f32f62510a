/**
 * The environment of the benchmarks: a PostgreSQL in a temporary folder, as durable as the service's, with the demo
 * catalogue, and accounts created through the service's own verbs.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { eq } from "drizzle-orm";
import { webhookTransport } from "#app/domain/webhooks/transport.server.ts";
import type { Caller, SessionProof } from "../app/domain/accounts/caller.ts";
import { register } from "../app/domain/accounts/register.server.ts";
import { openSession, recognise } from "../app/domain/accounts/session.server.ts";
import { issueKey } from "../app/domain/api-keys/issue.server.ts";
import { browse } from "../app/domain/catalogue/browse.server.ts";
import { changeSignalOf } from "../app/domain/changes/signal.server.ts";
import { systemClock } from "../app/domain/clock.ts";
import type { Context } from "../app/domain/context.ts";
import { outboxOnly } from "../app/domain/notifications/mailer.ts";
import { simulatedPayments } from "../app/domain/payments/simulated.server.ts";
import type { Simulator } from "../app/domain/payments/simulator.server.ts";
import { payWithTestCard } from "../app/domain/payments/test-card.server.ts";
import { memoryRateLimiter } from "../app/domain/rate-limit/memory.ts";
import { checkout } from "../app/domain/subscriptions/checkout.server.ts";
import { confirmPayment } from "../app/domain/subscriptions/settle.server.ts";
import { commandWaitMs, openDatabase } from "../app/platform/db.server.ts";
import { jsonLog } from "../app/platform/log.server.ts";
import { sealerOf } from "../app/platform/sealer.server.ts";
import { migrate } from "../drizzle/migrate.ts";
import { accounts } from "../drizzle/schema/index.ts";
import { seed } from "../drizzle/seed/seed.ts";
import { ensureDatabase, startPostgres } from "../scripts/embedded-postgres/start.ts";

export type Stage = {
  ctx: Context;
  simulator: Simulator;
  folder: string;
  adminUrl: string;
  databaseUrl: string;
  postgresPid: number;
  close(): Promise<void>;
};

export type Customer = { caller: Caller<SessionProof>; token: string; key: string; username: string };

const appUrl = "http://localhost";
/** Several services run at once. */
const processes = 7;

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** @param fillDatabase default: with the demo */
export const openStage = async (
  fillDatabase = (databaseUrl: string): Promise<unknown> => seed(databaseUrl, print),
): Promise<Stage> => {
  const folder = mkdtempSync(path.join(tmpdir(), "srds-bench-"));
  const server = await startPostgres({ dataDir: path.join(folder, "postgres"), processes });
  await ensureDatabase(server, "bench");
  const databaseUrl = server.url("bench");
  await migrate(databaseUrl);
  await fillDatabase(databaseUrl);

  const { db, follow, close } = openDatabase(databaseUrl, { requestWaitMs: commandWaitMs });
  const random = { bytes: (length: number) => randomBytes(length) };
  const log = jsonLog(() => {});
  const { payments, client, simulator } = simulatedPayments(
    { db, clock: systemClock, random, log },
    // Each purchase is confirmed at once, so the provider's webhooks would add nothing.
    { baseUrl: appUrl, deliver: async () => ({ status: 200 }) },
  );
  const settings = {
    appUrl,
    testMode: true,
    requireHttps: false,
    trustedProxies: 0,
    renewalCapPercent: 10,
    renewalConcurrency: 4,
    termsVersion: "2026-11-01",
    seller: null,
    paymentClient: client,
  };
  const ctx: Context = {
    db,
    clock: systemClock,
    deviceClock: systemClock,
    random,
    log,
    sealer: sealerOf(random.bytes(32)),
    payments,
    tax: null,
    rateLimiter: memoryRateLimiter(),
    mailer: outboxOnly,
    changeSignal: changeSignalOf(follow, log),
    webhooks: webhookTransport({ allowPrivate: false }),
    settings,
  };
  return {
    ctx,
    simulator,
    folder,
    adminUrl: server.url(),
    databaseUrl,
    postgresPid: server.pid(),
    close: async () => {
      await simulator.stop();
      await close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/**
 * Registers an account with a key and a bearer token, through the usual verbs. Only the plan is set by SQL, because no
 * verb sells plans.
 */
export const newCustomer = async ({ ctx }: Stage, name: string): Promise<Customer> => {
  const origin = { ipAddress: null, userAgent: "bench" };
  const registration = { email: `${name}@example.com`, username: name, password: "a long enough pass phrase" };
  // Its own limiter: registrations are limited by address, and these have none.
  const account = await register({ ...ctx, rateLimiter: memoryRateLimiter() }, registration, origin);
  await ctx.db.update(accounts).set({ plan: "enterprise" }).where(eq(accounts.id, account.id));
  const { token } = await openSession(ctx, account, "bearer", origin);
  const caller = await recognise(ctx, token, "bearer");
  if (!caller) throw new Error("The new account was not recognised");
  const { secret } = await issueKey(ctx, caller, { api_key_name: "bench", user: name });
  return { caller, token, key: secret, username: name };
};

/** Buys a subscription as the API and the portal do, from checkout to confirmation. */
export const buy = async ({ ctx, simulator }: Stage, { caller }: Customer, periodId: number): Promise<void> => {
  const items = [{ periodId, term: "1_month" as const }];
  const { intent } = await checkout(ctx, caller, { items, autoRenew: true });
  const card = { number: "4242424242424242", expMonth: 12, expYear: 2039, cvc: "123" };
  await payWithTestCard(simulator, intent, card, appUrl);
  await confirmPayment(ctx, caller, { paymentIntentId: intent.id });
};

/** A route that is on sale. */
export const routeOnSale = async ({ ctx }: Stage): Promise<{ id: number; periodId: number }> => {
  const { rows } = await browse(ctx, { q: "C-CNSHA-NLRTM-PEL9" }, { limit: 1 });
  const periodId = rows[0]?.periods[0]?.id;
  if (!rows[0] || periodId === undefined) throw new Error("The catalogue has nothing on sale");
  return { id: rows[0].id, periodId };
};

/** The environment of a service that neither imports nor feeds the demo, as one in test mode does. Nothing is sent to Stripe. */
export const withoutDemo = {
  TEST_MODE: "off",
  STRIPE_SECRET_KEY: "sk_test_bench",
  STRIPE_PUBLISHABLE_KEY: "pk_test_bench",
  STRIPE_WEBHOOK_SECRET: "whsec_bench",
};
