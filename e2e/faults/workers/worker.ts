/** One of several processes on one database. It does what a busy service does, until it is killed or stopped. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { changeSignalOf } from "#app/domain/changes/signal.server.ts";
import { shiftedClock, systemClock } from "#app/domain/clock.ts";
import type { Context } from "#app/domain/context.ts";
import { Refusal } from "#app/domain/errors.ts";
import type { PaymentGateway } from "#app/domain/payments/gateway.ts";
import { createSimulator } from "#app/domain/payments/simulator.server.ts";
import { stripeClient, stripeGateway } from "#app/domain/payments/stripe.server.ts";
import { memoryRateLimiter } from "#app/domain/rate-limit/memory.ts";
import { seededRandom } from "#app/domain/schedules/demo/seeded-random.ts";
import { handlePaymentEvent } from "#app/domain/subscriptions/payment-events.server.ts";
import { readTestClock } from "#app/domain/test-mode/test-clock.server.ts";
import { webhookTransport } from "#app/domain/webhooks/transport.server.ts";
import { commandWaitMs, openDatabase } from "#app/platform/db.server.ts";
import type { LogFields } from "#app/platform/log.server.ts";
import { sealerOf } from "#app/platform/sealer.server.ts";
import { type Act, actsOf, isHeldBack } from "./acts.ts";
import { type Brief, clockLock, deathsOf, tell } from "./fate.ts";

const brief = JSON.parse(readFileSync(0, "utf8")) as Brief;
const faulty = brief.work === "everything";
const random = seededRandom(brief.seed);
const chance = (percent: number): boolean => random() * 100 < percent;
const deaths = deathsOf(brief.fate);
const appUrl = "http://localhost:3000";
const secrets = { secretKey: "sk_test_faults", webhookSecret: "whsec_faults" };

/** Separate pools: the provider and the mail system are other systems, with their own transactions. */
const database = (connections: number, settings: Record<string, string> = {}) => {
  const url = new URL(brief.databaseUrl);
  url.search = new URLSearchParams({ application_name: brief.name, ...settings }).toString();
  return openDatabase(url.href, { connections, requestWaitMs: commandWaitMs });
};
const ours = database(5);
const theirs = database(4);
// So that the server notices a dead client even while its session waits for the lock, and releases it.
const gate = database(1, { client_connection_check_interval: "50" });

let aheadMs = 0;
const clock = shiftedClock(systemClock, () => aheadMs);
const strong = { bytes: (length: number) => randomBytes(length) };
const complain = (event: string, error?: unknown) =>
  tell({ note: "complaint", text: `${event}${error === undefined ? "" : `: ${chainOf(error)}`}` });
const chainOf = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined
    ? `${error.message.split("\n")[0]} ← ${chainOf(error.cause)}`
    : String(error);
const log = {
  info: () => {},
  warn: () => {},
  error: (event: string, _fields?: LogFields, error?: unknown) => complain(event, error),
};

const simulator = createSimulator(
  { db: theirs.db, clock, random: strong, log },
  {
    ...secrets,
    baseUrl: appUrl,
    retryDelaysMs: [],
    deliver: async (rawBody, signature) => {
      // The delivery fails, and the event waits for redelivery.
      if (faulty && (chance(10) || isHeldBack(JSON.parse(rawBody), clock.now()))) return { status: 503 };
      await handlePaymentEvent(ctx, { rawBody, signature });
      return { status: 200 };
    },
  },
);

/** The gateway's method that is calling the provider. */
const operation = new AsyncLocalStorage<string>();

const network = async (url: string, init: RequestInit): Promise<Response> => {
  const name = operation.getStore() ?? "unknown";
  deaths.call(name, "asked");
  if (faulty && chance(0.5)) throw new TypeError("The connection was refused");
  const answer = await simulator.fetch(new Request(url, init));
  deaths.call(name, "done");
  if (faulty && chance(1)) throw new TypeError("The answer was lost");
  return answer;
};

const gateway = stripeGateway({ ...secrets, fetch: network });

const mortal =
  <Args extends unknown[], Result>(name: string, method: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> =>
    operation.run(name, async () => {
      const result = await method(...args);
      deaths.call(name, "answered");
      return result;
    });

const payments: PaymentGateway = {
  createCustomer: mortal("createCustomer", gateway.createCustomer),
  createIntent: mortal("createIntent", gateway.createIntent),
  getIntent: mortal("getIntent", gateway.getIntent),
  chargeOffSession: mortal("chargeOffSession", gateway.chargeOffSession),
  confirmIntent: mortal("confirmIntent", gateway.confirmIntent),
  cancelIntent: mortal("cancelIntent", gateway.cancelIntent),
  createCardSetup: mortal("createCardSetup", gateway.createCardSetup),
  getCardSetup: mortal("getCardSetup", gateway.getCardSetup),
  cancelCardSetup: mortal("cancelCardSetup", gateway.cancelCardSetup),
  listCards: mortal("listCards", gateway.listCards),
  detachCard: mortal("detachCard", gateway.detachCard),
  findIntent: mortal("findIntent", gateway.findIntent),
  refund: mortal("refund", gateway.refund),
  listRefunds: mortal("listRefunds", gateway.listRefunds),
  listDisputes: mortal("listDisputes", gateway.listDisputes),
  readEvent: gateway.readEvent,
};

const ctx: Context = {
  db: ours.db,
  clock,
  deviceClock: clock,
  random: strong,
  log,
  sealer: sealerOf(strong.bytes(32)),
  payments,
  tax: null,
  rateLimiter: memoryRateLimiter(),
  mailer: {
    delivers: true,
    send: async ({ messageId }) => {
      deaths.mail("asked");
      if (faulty && chance(2)) throw new Error("421 Try again later");
      await theirs.db.execute(sql`insert into deliveries (message_id, worker) values (${messageId}, ${brief.name})`);
      deaths.mail("taken");
    },
    close: async () => {},
  },
  changeSignal: changeSignalOf(ours.follow, log),
  webhooks: webhookTransport({ allowPrivate: false }),
  settings: {
    appUrl,
    testMode: true,
    requireHttps: false,
    trustedProxies: 0,
    renewalCapPercent: 10,
    renewalConcurrency: 4,
    termsVersion: "2026-11-01",
    seller: null,
    paymentClient: stripeClient("pk_test_simulated", `${appUrl}/test-mode/stripe`),
  },
};

/** Runs an act under the shared lock, so that the clock does not move meanwhile. */
const withClockHeld = (act: Act): Promise<void> =>
  gate.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock_shared(${clockLock})`);
    aheadMs = await readTestClock(ctx);
    try {
      await act.run();
    } catch (error) {
      if (!(error instanceof Refusal)) complain(`${act.name} failed`, error);
    }
    await simulator.idle();
    if (act.name === "sweep") tell({ note: "swept", aheadMs });
  });

let stopping = false;
process.once("SIGTERM", () => {
  stopping = true;
});

const choose = actsOf({ ctx, simulator, random, brief, appUrl, webhookSecret: secrets.webhookSecret });
tell({ note: "ready" });
while (!stopping) {
  const act = choose();
  tell({ note: "act", act: act.name });
  await withClockHeld(act).catch((error) => complain("An act could not begin", error));
  await wait(5 + random() * 15);
}
await simulator.stop();
await Promise.all([ours.close(), theirs.close(), gate.close()]);
