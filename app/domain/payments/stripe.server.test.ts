import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { asLongWork, asRequest } from "../../platform/time-budget.server.ts";
import { openWorkbench, secretKey, type Workbench, webhookSecret } from "../../testing/payment-workbench.ts";
import { Refusal } from "../errors.ts";
import type { PaymentIntent } from "./gateway.ts";
import { signWebhook, stripeGateway } from "./stripe.server.ts";

let bench: Workbench;
let customerId: string;
let keys = 0;
const freshKey = () => `key-${++keys}`;

beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(() => bench.close());
beforeEach(async () => {
  customerId = (await bench.gateway.createCustomer({ email: "ada@example.com", accountId: 7 }, freshKey())).id;
});

const purchase = (input: { saveCard?: boolean; amountCents?: number } = {}) =>
  bench.gateway.createIntent(
    {
      amountCents: 12_345,
      currency: "USD",
      customerId,
      orderId: 42,
      saveCard: true,
      description: "Order 42",
      ...input,
    },
    freshKey(),
  );

/** Pays once with a card and saves it. */
const savedCard = async (number: string): Promise<string> => {
  const intent = await purchase();
  const { body } = await bench.pay(intent, number);
  if (body.status === "requires_action") {
    await bench.simulator.completeAuthentication(intent.id, intent.clientSecret, true);
  }
  const paid = await bench.gateway.getIntent(intent.id);
  expect(paid.status).toBe("succeeded");
  return paid.card?.paymentMethodId ?? "";
};

const renewal = (paymentMethodId: string, key = freshKey()) =>
  bench.gateway.chargeOffSession(
    { amountCents: 5_000, currency: "USD", customerId, orderId: 43, description: "Renewal", paymentMethodId },
    key,
  );

const refusalOf = async (promise: Promise<unknown>): Promise<Refusal> => {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Refusal) return error;
  throw error ?? new Error("Nothing was refused");
};

describe("A purchase", () => {
  it("starts with an intent that requires a payment method", async () => {
    expect(await purchase()).toEqual({
      id: expect.stringMatching(/^pi_[0-9A-Za-z]{24}$/),
      status: "requires_payment_method",
      clientSecret: expect.stringMatching(/^pi_\w{24}_secret_\w{24}$/),
      amountCents: 12_345,
      currency: "USD",
      orderId: 42,
      customerId,
      chargeId: null,
      chargedAt: null,
      card: null,
      declineCode: null,
    } satisfies PaymentIntent);
  });

  it("ends with a charge and the card's details", async () => {
    const intent = await purchase();
    await bench.pay(intent, "4242424242424242");
    expect(await bench.gateway.getIntent(intent.id)).toMatchObject({
      status: "succeeded",
      chargeId: expect.stringMatching(/^ch_/),
      chargedAt: bench.clock.now(),
      card: {
        paymentMethodId: expect.stringMatching(/^pm_/),
        customerId,
        brand: "visa",
        last4: "4242",
        expMonth: 12,
        expYear: 2030,
      },
      declineCode: null,
    });
  });

  it("returns the same intent for the same idempotency key", async () => {
    const input = { amountCents: 900, currency: "USD", customerId, orderId: 1, saveCard: false, description: "Order" };
    const first = await bench.gateway.createIntent(input, "one-key");
    expect(await bench.gateway.createIntent(input, "one-key")).toEqual(first);
    await expect(bench.gateway.createIntent({ ...input, amountCents: 901 }, "one-key")).rejects.toThrow(
      /can only be used with the same parameters/,
    );
  });

  it.each([
    ["4000000000000002", "card_declined"],
    ["4000000000009995", "insufficient_funds"],
  ])("with card %s reports %s and can be retried with another card", async (number, declineCode) => {
    const intent = await purchase();
    await bench.pay(intent, number);
    expect(await bench.gateway.getIntent(intent.id)).toMatchObject({
      status: "requires_payment_method",
      declineCode,
      card: { last4: number.slice(-4) },
    });
    await bench.pay(intent, "5555555555554444");
    expect(await bench.gateway.getIntent(intent.id)).toMatchObject({
      status: "succeeded",
      declineCode: null,
      card: { brand: "mastercard" },
    });
  });

  it("can be cancelled only before it is paid", async () => {
    const [open, paid] = [await purchase(), await purchase()];
    await bench.pay(paid, "4242424242424242");
    expect((await bench.gateway.cancelIntent(open.id)).status).toBe("canceled");
    expect((await bench.gateway.cancelIntent(open.id)).status).toBe("canceled");
    expect((await bench.gateway.cancelIntent(paid.id)).status).toBe("succeeded");
  });

  it.each(["pi_000000000000000000000000", "pi_1/../../customers", "nonsense"])(
    "with the unknown id %s is not found",
    async (id) => {
      expect((await refusalOf(bench.gateway.getIntent(id))).code).toBe("not_found");
      expect((await refusalOf(bench.gateway.cancelIntent(id))).code).toBe("not_found");
    },
  );
});

describe("A renewal", () => {
  it("charges the saved card once per idempotency key", async () => {
    const card = await savedCard("4242424242424242");
    const first = await renewal(card, "renewal-1");
    expect(first).toMatchObject({ status: "succeeded", orderId: 43, amountCents: 5_000, card: { last4: "4242" } });
    expect(await renewal(card, "renewal-1")).toEqual(first);
  });

  it("returns a decline, and the same one for the same idempotency key", async () => {
    const card = await savedCard("4000000000000341");
    const first = await renewal(card, "renewal-2");
    expect(first).toMatchObject({
      status: "requires_payment_method",
      declineCode: "card_declined",
      orderId: 43,
      card: { paymentMethodId: card, last4: "0341" },
    });
    expect(await renewal(card, "renewal-2")).toEqual(first);
    expect((await renewal(card)).id).not.toBe(first.id);
  });

  it("succeeds with a card that was authenticated for later charges", async () => {
    expect((await renewal(await savedCard("4000002500003155"))).status).toBe("succeeded");
  });

  it("reports when the card needs authentication for every charge", async () => {
    expect(await renewal(await savedCard("4000000000003220"))).toMatchObject({
      status: "requires_payment_method",
      declineCode: "authentication_required",
    });
  });

  it("is rejected for a card of another customer", async () => {
    const card = await savedCard("4242424242424242");
    customerId = (await bench.gateway.createCustomer({ email: "eve@example.com", accountId: 8 }, freshKey())).id;
    expect((await refusalOf(renewal(card))).code).toBe("conflict");
  });

  it("is rejected for a card that was removed", async () => {
    const card = await savedCard("4242424242424242");
    await bench.ask("POST", `/v1/payment_methods/${card}/detach`);
    expect((await refusalOf(renewal(card))).code).toBe("conflict");
    expect((await refusalOf(renewal("pm_gone"))).code).toBe("conflict");
  });
});

describe("A payment with a saved card, with the cardholder present", () => {
  const returnUrl = "http://localhost:3000/checkout/1/return";
  const confirm = (intentId: string, paymentMethodId: string) =>
    bench.gateway.confirmIntent({ intentId, paymentMethodId, returnUrl });

  it("lists the customer's cards, newest first, without removed ones", async () => {
    expect(await bench.gateway.listCards(customerId)).toEqual([]);
    const first = await savedCard("4242424242424242");
    bench.clock.set("2026-03-10T12:00:02Z");
    const second = await savedCard("5555555555554444");
    expect(await bench.gateway.listCards(customerId)).toEqual([
      { paymentMethodId: second, customerId, brand: "mastercard", last4: "4444", expMonth: 12, expYear: 2030 },
      { paymentMethodId: first, customerId, brand: "visa", last4: "4242", expMonth: 12, expYear: 2030 },
    ]);
    await bench.gateway.detachCard(second);
    expect(await bench.gateway.listCards(customerId)).toMatchObject([{ paymentMethodId: first }]);
  });

  it("charges the card, even if the bank would decline it off session", async () => {
    const card = await savedCard("4000000000000341");
    const intent = await purchase();
    expect(await confirm(intent.id, card)).toMatchObject({
      intent: { id: intent.id, status: "succeeded", card: { paymentMethodId: card, last4: "0341" } },
      authenticationUrl: null,
    });
    expect((await confirm(intent.id, card)).intent.status).toBe("succeeded");
  });

  it("leads to the bank's page when the bank asks for authentication, and back", async () => {
    const card = await savedCard("4000000000003220");
    const intent = await purchase();
    const { intent: waiting, authenticationUrl } = await confirm(intent.id, card);
    expect(waiting.status).toBe("requires_action");
    expect(new URL(authenticationUrl ?? "").pathname).toBe(`/test-mode/authenticate/${intent.id}`);
    const answer = await bench.simulator.completeAuthentication(intent.id, intent.clientSecret, true);
    expect(answer.returnUrl).toMatch(`${returnUrl}?`);
    expect((await bench.gateway.getIntent(intent.id)).status).toBe("succeeded");
  });

  it("reports a refused authentication, and can be paid with another card", async () => {
    const [card, other] = [await savedCard("4000000000003220"), await savedCard("4242424242424242")];
    const intent = await purchase();
    await confirm(intent.id, card);
    await bench.simulator.completeAuthentication(intent.id, intent.clientSecret, false);
    expect(await bench.gateway.getIntent(intent.id)).toMatchObject({
      status: "requires_payment_method",
      declineCode: "payment_intent_authentication_failure",
    });
    expect((await confirm(intent.id, other)).intent.status).toBe("succeeded");
  });

  it("is rejected for a card of another customer or one that was removed, and for an unknown intent", async () => {
    const card = await savedCard("4242424242424242");
    customerId = (await bench.gateway.createCustomer({ email: "eve@example.com", accountId: 8 }, freshKey())).id;
    const intent = await purchase();
    for (const id of [card, "pm_gone"]) expect((await refusalOf(confirm(intent.id, id))).code).toBe("conflict");
    expect((await bench.gateway.getIntent(intent.id)).status).toBe("requires_payment_method");
    expect((await refusalOf(confirm("pi_000000000000000000000000", card))).code).toBe("not_found");
  });

  it("returns a cancelled intent as it is", async () => {
    const card = await savedCard("4242424242424242");
    const intent = await purchase();
    await bench.gateway.cancelIntent(intent.id);
    expect((await confirm(intent.id, card)).intent.status).toBe("canceled");
  });
});

describe("Replacing a card", () => {
  it("saves the new card without a payment", async () => {
    const setup = await bench.gateway.createCardSetup({ customerId }, freshKey());
    expect(setup).toMatchObject({ status: "requires_payment_method", customerId, card: null });
    await bench.pay(setup, "5555555555554444");
    const done = await bench.gateway.getCardSetup(setup.id);
    expect(done).toMatchObject({ status: "succeeded", card: { brand: "mastercard", last4: "4444" } });
    expect((await renewal(done.card?.paymentMethodId ?? "")).status).toBe("succeeded");
  });

  it("asks for authentication where the card needs it, and reports a decline", async () => {
    const setup = await bench.gateway.createCardSetup({ customerId }, freshKey());
    expect((await bench.pay(setup, "4000000000000002")).status).toBe(402);
    expect(await bench.gateway.getCardSetup(setup.id)).toMatchObject({ card: null, declineCode: "card_declined" });
    expect((await bench.pay(setup, "4000002500003155")).body.status).toBe("requires_action");
    await bench.simulator.completeAuthentication(setup.id, setup.clientSecret, true);
    const done = await bench.gateway.getCardSetup(setup.id);
    expect((await renewal(done.card?.paymentMethodId ?? "")).status).toBe("succeeded");
    expect((await refusalOf(bench.gateway.getCardSetup("seti_unknown"))).code).toBe("not_found");
  });
});

it("A charge's refunds are listed oldest first", async () => {
  const intent = await purchase();
  await bench.pay(intent, "4242424242424242");
  const chargeId = (await bench.gateway.getIntent(intent.id)).chargeId ?? "";
  expect(await bench.gateway.listRefunds(chargeId)).toEqual([]);
  const first = await bench.simulator.refundCharge(chargeId, 1_000);
  bench.clock.set("2026-03-10T12:00:05Z");
  const second = await bench.simulator.refundCharge(chargeId);
  expect(await bench.gateway.listRefunds(chargeId)).toEqual([
    { id: first.id, amountCents: 1_000 },
    { id: second.id, amountCents: 11_345 },
  ]);
});

describe("A webhook", () => {
  const now = new Date("2031-07-01T00:00:00Z");
  const rawBody = JSON.stringify({
    id: "evt_1",
    object: "event",
    type: "payment_intent.succeeded",
    data: { object: { id: "pi_1", object: "payment_intent", latest_charge: "ch_1" } },
  });
  const read = (body: string, signature: string) => bench.gateway.readEvent(body, signature, now);

  it("is read when its signature is valid", async () => {
    expect(await read(rawBody, signWebhook(rawBody, webhookSecret, now))).toEqual({
      id: "evt_1",
      type: "payment_intent.succeeded",
      paymentIntentId: "pi_1",
      chargeId: "ch_1",
      cardSetupId: null,
    });
  });

  it("of an unknown type is read without its object", async () => {
    const other = rawBody.replace("payment_intent.succeeded", "topup.created");
    const event = await read(other, signWebhook(other, webhookSecret, now));
    expect(event).toEqual({
      id: "evt_1",
      type: "topup.created",
      paymentIntentId: null,
      chargeId: null,
      cardSetupId: null,
    });
  });

  it.each([
    ["signed with another secret", rawBody, signWebhook(rawBody, "whsec_other", now)],
    ["changed in transit", rawBody.replace("pi_1", "pi_2"), signWebhook(rawBody, webhookSecret, now)],
    ["older than five minutes", rawBody, signWebhook(rawBody, webhookSecret, new Date(now.getTime() - 301_000))],
    ["without a signature", rawBody, ""],
    ["with a broken header", rawBody, "t=,v1="],
    ["that is not JSON", "{", signWebhook("{", webhookSecret, now)],
  ])("%s is rejected", async (_case, body, signature) => {
    expect((await refusalOf(read(body, signature))).code).toBe("malformed");
  });
});

describe("A provider that cannot be used", () => {
  const gatewayOver = (fetch: (url: string, init: RequestInit) => Promise<Response>) =>
    stripeGateway({ secretKey, webhookSecret, fetch, timeoutMs: 20 });
  const failing = (status: number) => async () =>
    new Response(JSON.stringify({ error: { type: "api_error", message: "No" } }), { status });

  it.each<[string, (url: string, init: RequestInit) => Promise<Response>]>([
    [
      "does not answer in time",
      (_, init) => new Promise((_resolve, no) => init.signal?.addEventListener("abort", () => no(init.signal?.reason))),
    ],
    ["cannot be reached", () => Promise.reject(new TypeError("fetch failed"))],
    ["answers 500", failing(500)],
    ["answers 429", failing(429)],
    ["answers without JSON", async () => new Response("<html>", { status: 502 })],
  ])("because it %s gives an unavailable refusal", async (_case, fetch) => {
    const refusal = await refusalOf(gatewayOver(fetch).getIntent("pi_1"));
    expect(refusal).toMatchObject({ code: "unavailable", retryAfterSeconds: 30 });
  });

  it.each([
    ["a request", 2, asRequest],
    ["long work", 3, asLongWork],
  ])("is retried with the same idempotency key before %s gives up", async (_who, maxAttempts, within) => {
    const keysSeen = new Set<string | null>();
    let attempts = 0;
    const gateway = gatewayOver(async (url, init) => {
      attempts += 1;
      keysSeen.add(new Headers(init.headers).get("Idempotency-Key"));
      if (attempts < maxAttempts) throw new TypeError("fetch failed");
      return bench.simulator.fetch(new Request(url, { ...init, signal: null }));
    });
    const key = `persistent-${maxAttempts}`;
    const customer = await within(() => gateway.createCustomer({ email: "ada@example.com", accountId: 7 }, key));
    expect(customer.id).toMatch(/^cus_/);
    expect([attempts, [...keysSeen]]).toEqual([maxAttempts, [key]]);
  });

  it("because it never answers delays a purchase by less than ten seconds", async () => {
    const sockets = new Set<Socket>();
    const silentServer = createTcpServer((socket) => sockets.add(socket));
    await new Promise<void>((listening) => silentServer.listen(0, "127.0.0.1", listening));
    try {
      const { port } = silentServer.address() as AddressInfo;
      const gateway = stripeGateway({ secretKey, webhookSecret, apiBaseUrl: `http://127.0.0.1:${port}` });
      const buy = async () => {
        const customer = await gateway.createCustomer({ email: "ada@example.com", accountId: 7 }, freshKey());
        return gateway.getIntent(customer.id);
      };
      const refusal = await refusalOf(asRequest(buy));
      expect(refusal).toMatchObject({ code: "unavailable", retryAfterSeconds: 30 });
      expect(sockets.size).toBeGreaterThan(0);
    } finally {
      for (const socket of sockets) socket.destroy();
      silentServer.close();
    }
  }, 10_000);

  it("is not confused with one that rejects the API key", async () => {
    const gateway = stripeGateway({
      secretKey: "sk_test_wrong",
      webhookSecret,
      fetch: (url, init) => bench.simulator.fetch(new Request(url, init)),
    });
    await expect(gateway.getIntent("pi_1")).rejects.toThrow(/Invalid API Key/);
  });
});

it("The gateway uses the API address that it is given", async () => {
  const server = createServer(async (incoming, outgoing) => {
    const init = {
      method: "POST",
      headers: { authorization: incoming.headers.authorization ?? "" },
      body: await text(incoming),
    };
    const response = await bench.simulator.fetch(new Request(`http://localhost${incoming.url}`, init));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  try {
    const gateway = stripeGateway({ secretKey, webhookSecret, apiBaseUrl: `http://127.0.0.1:${port}` });
    expect((await gateway.createCustomer({ email: "ada@example.com", accountId: 7 }, freshKey())).id).toMatch(/^cus_/);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it("The gateway rejects an API address with a path", () => {
  expect(() => stripeGateway({ secretKey, webhookSecret, apiBaseUrl: "http://127.0.0.1/stripe" })).toThrow(/path/);
});
