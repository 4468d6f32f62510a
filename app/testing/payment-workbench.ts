/** The Stripe simulator on its own database, and Stripe's SDK connected to it. */
import { randomBytes } from "node:crypto";
import { fixedClock } from "../domain/clock.ts";
import type { PaymentEvent, PaymentGateway, PaymentIntent } from "../domain/payments/gateway.ts";
import { createSimulator, type Simulator } from "../domain/payments/simulator.server.ts";
import { stripeGateway } from "../domain/payments/stripe.server.ts";
import { openDatabase } from "../platform/db.server.ts";
import { jsonLog } from "../platform/log.server.ts";
import { cloneDatabase } from "./database.ts";

export const secretKey = "sk_test_workbench";
export const webhookSecret = "whsec_workbench";
export const baseUrl = "http://localhost:3000";

export type Workbench = Awaited<ReturnType<typeof openWorkbench>>;

export const openWorkbench = async () => {
  const database = await cloneDatabase();
  const { db, close } = openDatabase(database.url);
  const clock = fixedClock("2026-03-10T12:00:00Z");
  const logged: string[] = [];
  const deliveries: { rawBody: string; signature: string; event: PaymentEvent }[] = [];
  /** The service's response to webhooks. */
  const endpoint = { status: 200 };
  const ctx = {
    db,
    clock,
    log: jsonLog((line) => logged.push(line)),
    random: { bytes: (n: number) => randomBytes(n) },
  };
  const simulator: Simulator = createSimulator(ctx, {
    webhookSecret,
    baseUrl,
    secretKey,
    retryDelaysMs: [5, 10],
    deliver: async (rawBody, signature) => {
      const event = await gateway.readEvent(rawBody, signature, clock.now());
      deliveries.push({ rawBody, signature, event });
      return { status: endpoint.status };
    },
  });
  const gateway: PaymentGateway = stripeGateway({
    secretKey,
    webhookSecret,
    fetch: (url, init) => simulator.fetch(new Request(url, init)),
  });
  return {
    ctx,
    db,
    clock,
    logged,
    deliveries,
    endpoint,
    simulator,
    gateway,
    /** Sends a request as an SDK or curl would. */
    ask: async (
      method: "GET" | "POST",
      path: string,
      params: Record<string, string> = {},
      headers: HeadersInit = {},
    ) => {
      const form = new URLSearchParams(params).toString();
      const url = `https://api.stripe.com${path}${method === "GET" && form !== "" ? `?${form}` : ""}`;
      const authorized = { Authorization: `Bearer ${secretKey}`, ...headers };
      const response = await simulator.fetch(
        new Request(url, { method, headers: authorized, ...(method === "POST" ? { body: form } : {}) }),
      );
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    /** Confirms a payment with a card, as a browser does. */
    pay: async (
      intent: Pick<PaymentIntent, "id" | "clientSecret">,
      card: string,
      more: Record<string, string> = {},
    ) => {
      const kind = intent.id.startsWith("seti_") ? "setup_intents" : "payment_intents";
      const response = await simulator.confirmFromBrowser(
        new Request(`${baseUrl}/test-mode/stripe/v1/${kind}/${intent.id}/confirm`, {
          method: "POST",
          body: new URLSearchParams({ client_secret: intent.clientSecret, ...cardForm(card), ...more }),
        }),
      );
      return { status: response.status, body: await response.json() };
    },
    close: async () => {
      await simulator.idle();
      await close();
      await database.drop();
    },
  };
};

const cardForm = (number: string): Record<string, string> => ({
  "payment_method_data[type]": "card",
  "payment_method_data[card][number]": number,
  "payment_method_data[card][exp_month]": "12",
  "payment_method_data[card][exp_year]": "2030",
  "payment_method_data[card][cvc]": "123",
});
