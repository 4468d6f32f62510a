/** OWASP API10:2023: what the payment provider sends is checked before it is used, and its failures are not passed on. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../domain/clock.ts";
import { signWebhook } from "../../domain/payments/stripe.server.ts";
import { type LiveApi, liveApi } from "../../testing/live-api.ts";
import { type Service, startService } from "../../testing/service.ts";

const webhookSecret = "whsec_owasp";
/** The answer of the provider to the next requests. */
let answer: { status: number; type: string; body: string };
let provider: Server;
let service: Service;
let api: LiveApi;
let token: string;

beforeAll(async () => {
  provider = createServer((_, res) => {
    res.writeHead(answer.status, { "Content-Type": answer.type }).end(answer.body);
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  service = await startService({
    env: {
      TRUST_PROXY: "1",
      STRIPE_SECRET_KEY: "sk_test_owasp",
      STRIPE_PUBLISHABLE_KEY: "pk_test_owasp",
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
    },
  });
  api = liveApi(service.url);
  ({ token } = await api.register());
}, 600_000);
afterAll(async () => {
  await service?.stop();
  provider?.close();
});

const buy = async () => {
  const { json } = await api.send("GET", "/api/route-access/all-routes?limit=1", { token });
  const body = { period_id: json.routes[0].periods[0].period_id, subscription_term: "1_month" };
  return api.send("POST", "/api/subscriptions/create-payment-intent", { token, body });
};

describe("An answer of the payment provider", () => {
  it.each([
    ["that is a page", { status: 200, type: "text/html", body: "<script>alert('provider')</script>" }],
    ["that is cut off", { status: 200, type: "application/json", body: '{"id": "cus_1", "obj' }],
    ["without what was asked for", { status: 200, type: "application/json", body: "{}" }],
    ["of the wrong type", { status: 200, type: "application/json", body: '["provider-internals"]' }],
    ["that is an error of its own", { status: 500, type: "text/plain", body: "provider-internals at db-7.internal" }],
    ["that sends us elsewhere", { status: 302, type: "text/plain", body: "http://169.254.169.254/" }],
    [
      "that rejects our key",
      {
        status: 401,
        type: "application/json",
        body: '{"error":{"message":"Invalid API Key provided: sk_test_owasp"}}',
      },
    ],
  ])(
    "%s is an error without details, and opens nothing",
    async (_, next) => {
      answer = next;
      const { status, text } = await buy();
      expect([500, 503]).toContain(status);
      expect(text).not.toMatch(/provider-internals|sk_test|internal(?! server error)|169\.254|alert/i);
      const mine = await api.send("GET", "/api/subscriptions/my-routes", { token });
      expect([mine.status, mine.json.subscriptions]).toEqual([200, []]);
    },
    60_000,
  );
});

describe("A webhook of the payment provider", () => {
  const event = (object: unknown, id = "evt_owasp") =>
    JSON.stringify({ id, object: "event", type: "payment_intent.succeeded", data: { object } });
  const deliver = (body: string, signature: string) =>
    api.send("POST", "/hooks/stripe", { body, headers: { "Stripe-Signature": signature } });

  it.each([
    ["no signature", () => ""],
    ["the signature of another key", (body: string) => signWebhook(body, "whsec_other", systemClock.now())],
    ["the signature of another body", () => signWebhook("{}", webhookSecret, systemClock.now())],
    [
      "an old signature",
      (body: string) => signWebhook(body, webhookSecret, new Date(systemClock.now().getTime() - 3_600_000)),
    ],
    ["garbage", () => "t=1,v1=00,v1=zz"],
  ])("with %s is rejected", async (_, sign) => {
    const body = event({ id: "pi_1", object: "payment_intent" });
    expect((await deliver(body, sign(body))).status).toBe(400);
  });

  it("that is signed is not believed: the object is read again", async () => {
    answer = {
      status: 404,
      type: "application/json",
      body: JSON.stringify({
        error: { type: "invalid_request_error", code: "resource_missing", message: "No such intent" },
      }),
    };
    const body = event({
      id: "pi_made_up",
      object: "payment_intent",
      status: "succeeded",
      amount: 1,
      metadata: { order_id: "1" },
    });
    expect((await deliver(body, signWebhook(body, webhookSecret, systemClock.now()))).status).not.toBe(500);
    const mine = await api.send("GET", "/api/subscriptions/my-routes", { token });
    expect(mine.json.subscriptions).toEqual([]);
  });

  it("with an unknown type and without an object is accepted, and does nothing", async () => {
    const body = JSON.stringify({ id: "evt_unknown", object: "event", type: "made.up", data: { object: {} } });
    const signature = signWebhook(body, webhookSecret, systemClock.now());
    // The same event again is the same.
    expect([(await deliver(body, signature)).status, (await deliver(body, signature)).status]).toEqual([200, 200]);
  });
});
