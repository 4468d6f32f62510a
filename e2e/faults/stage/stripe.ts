/**
 * Stripe over HTTP: the simulator in this process, with a database of its own, behind a server that can be slow, mute, broken
 * or late. Its records say what customers have really paid.
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { systemClock } from "#app/domain/clock.ts";
import { createSimulator, type Simulator } from "#app/domain/payments/simulator.server.ts";
import { payWithTestCard } from "#app/domain/payments/test-card.server.ts";
import { commandWaitMs, openDatabase } from "#app/platform/db.server.ts";
import { freePort } from "#app/testing/free-port.ts";
import { cloneOf, type openTestServer, prepareTemplate } from "#app/testing/test-server.ts";

/**
 * `slow`: answers after 1.5 s. `mute`: never answers. `erring`: 500, every other time after doing what was asked.
 * `late`: does what was asked, and answers when the caller has given up. `gone`: nothing listens.
 */
export type Behaviour = "well" | "slow" | "mute" | "erring" | "late" | "gone";

export type StripeStandIn = {
  env: Record<string, string>;
  sql: postgres.Sql;
  behave(behaviour: Behaviour): Promise<void>;
  /** The customer's browser pays. @throws Error if the card is declined */
  pay(intent: { id: string; clientSecret: string }): Promise<void>;
  /** Where webhooks go, in turn; the first that accepts takes it. */
  deliverTo(urls: () => string[]): void;
  /** Sends the webhooks again that nobody has accepted. */
  redeliver(): Promise<void>;
  close(): Promise<void>;
};

/** Longer than any limit of the service for its calls. */
const lateMs = 12_000;

const secrets = { secretKey: "sk_test_of_the_stand_in", webhookSecret: "whsec_of_the_stand_in" };

export const openStripe = async (testServer: Awaited<ReturnType<typeof openTestServer>>): Promise<StripeStandIn> => {
  const database = await cloneOf(testServer.adminUrl, await prepareTemplate(testServer.adminUrl));
  const opened = openDatabase(database.url, { connections: 6, requestWaitMs: commandWaitMs });
  const sql = postgres(database.url, { max: 2, onnotice: () => {} });
  const port = await freePort();
  let targets: () => string[] = () => [];
  let deliveries = 0;
  const deliver = async (body: string, signature: string) => {
    const urls = targets();
    const first = deliveries++ % Math.max(1, urls.length);
    for (const url of [...urls.slice(first), ...urls.slice(0, first)]) {
      const headers = { "Content-Type": "application/json", "Stripe-Signature": signature };
      const answer = await fetch(`${url}/hooks/stripe`, {
        method: "POST",
        headers,
        body,
        signal: AbortSignal.timeout(30_000),
      }).catch(() => null);
      await answer?.body?.cancel().catch(() => {});
      if (answer?.ok) return { status: answer.status };
    }
    return { status: 503 };
  };
  const simulator = createSimulator(
    {
      db: opened.db,
      clock: systemClock,
      random: { bytes: (length) => randomBytes(length) },
      log: { info: () => {}, warn: () => {}, error: () => {} },
    },
    { ...secrets, baseUrl: "http://localhost:3000", deliver, retryDelaysMs: [200, 1_000] },
  );
  let behaviour: Behaviour = "well";
  let server: Server | null = await listen(simulator, port, () => behaviour);
  return {
    env: {
      STRIPE_SECRET_KEY: secrets.secretKey,
      STRIPE_PUBLISHABLE_KEY: "pk_test_of_the_stand_in",
      STRIPE_WEBHOOK_SECRET: secrets.webhookSecret,
      STRIPE_API_BASE_URL: `http://127.0.0.1:${port}`,
    },
    sql,
    behave: async (next) => {
      // Requests that are waiting for an answer lose their connection.
      if (next === "gone" || behaviour === "mute" || behaviour === "late") await shut(server);
      if (next !== "gone" && !server?.listening) server = await listen(simulator, port, () => behaviour);
      behaviour = next;
    },
    pay: async (intent) => {
      const card = { number: "4242424242424242", expMonth: 12, expYear: 2039, cvc: "123" };
      await payWithTestCard(simulator, intent, card, "http://localhost:3000/checkout");
    },
    deliverTo: (urls) => {
      targets = urls;
    },
    redeliver: async () => {
      await simulator.idle();
      await simulator.redeliver();
      await simulator.idle();
    },
    close: async () => {
      await shut(server);
      await simulator.stop();
      await opened.close();
      await sql.end();
      await database.drop();
    },
  };
};

const shut = async (server: Server | null): Promise<void> => {
  if (!server?.listening) return;
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
};

const listen = async (simulator: Simulator, port: number, behaviour: () => Behaviour): Promise<Server> => {
  let requests = 0;
  const server = createServer(async (request, response) => {
    requests += 1;
    const isOdd = requests % 2 === 1;
    const now = behaviour();
    if (now === "mute") return;
    if (now === "slow") await wait(1_500);
    if (now === "erring" && isOdd) {
      fail(response);
      return;
    }
    const answer = await handle(simulator, request);
    if (now === "late") await wait(lateMs, undefined, { ref: false });
    if (now === "erring") fail(response);
    else if (!response.destroyed)
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
};

const fail = (response: ServerResponse) =>
  response
    .writeHead(500, { "Content-Type": "application/json" })
    .end(JSON.stringify({ error: { type: "api_error", message: "An unknown error occurred" } }));

const handle = async (simulator: Simulator, request: IncomingMessage): Promise<Response> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = new Headers(
    Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );
  const body = request.method === "POST" ? { body: Buffer.concat(chunks) } : {};
  const url = `http://127.0.0.1${request.url}`;
  return simulator.fetch(new Request(url, { method: request.method ?? "GET", headers, ...body }));
};
