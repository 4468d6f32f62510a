import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { baseUrl, openWorkbench, secretKey, type Workbench, webhookSecret } from "../../testing/payment-workbench.ts";
import { Refusal } from "../errors.ts";
import { createSimulator } from "./simulator.server.ts";

let bench: Workbench;
let customerId: string;
let keys = 0;
const freshKey = () => `key-${++keys}`;

beforeAll(async () => {
  bench = await openWorkbench();
});
afterAll(() => bench.close());
beforeEach(async () => {
  bench.endpoint.status = 200;
  const { body } = await bench.ask("POST", "/v1/customers", { email: "ada@example.com", "metadata[account_id]": "7" });
  customerId = body.id;
});

const newIntent = (saveCard = true) =>
  bench.gateway.createIntent(
    { amountCents: 12_345, currency: "USD", customerId, orderId: 42, saveCard, description: "Order 42" },
    freshKey(),
  );
const intentParams = (more: Record<string, string> = {}) => ({
  amount: "5000",
  currency: "usd",
  customer: customerId,
  ...more,
});
const paidIntent = async (number = "4242424242424242") => {
  const intent = await newIntent();
  await bench.pay(intent, number);
  return bench.gateway.getIntent(intent.id);
};
const eventsAbout = async (intentId: string): Promise<string[]> => {
  await bench.simulator.idle();
  return bench.deliveries.filter(({ event }) => event.paymentIntentId === intentId).map(({ event }) => event.type);
};
const chargesOf = async (intentId: string): Promise<number> => {
  const rows = await bench.db.query.simulatorObjects.findMany({
    where: (object, { and, eq }) => and(eq(object.object, "charge"), eq(object.parentId, intentId)),
  });
  return rows.length;
};

describe("A request", () => {
  it.each([
    ["no key", {}],
    ["another key", { Authorization: "Bearer sk_test_other" }],
    ["a publishable key", { Authorization: "Bearer pk_test_workbench" }],
  ])("with %s is unauthorized", async (_case, headers: Record<string, string>) => {
    const request = new Request("https://api.stripe.com/v1/customers", { method: "POST", headers });
    const response = await bench.simulator.fetch(request);
    expect([response.status, (await response.json()).error.type]).toEqual([401, "invalid_request_error"]);
  });

  it("may send its key with Basic authentication", async () => {
    const Authorization = `Basic ${Buffer.from(`${secretKey}:`).toString("base64")}`;
    expect((await bench.ask("GET", `/v1/customers/${customerId}`, {}, { Authorization })).status).toBe(200);
  });

  it.each<["GET" | "POST", string, Record<string, string>, number, Record<string, unknown>]>([
    ["GET", "/v1/nothing", {}, 404, { type: "invalid_request_error" }],
    [
      "GET",
      "/v1/payment_intents/pi_none",
      {},
      404,
      { code: "resource_missing", message: "No such payment_intent: 'pi_none'" },
    ],
    ["GET", "/v1/customers/cus_none", {}, 404, { code: "resource_missing" }],
    ["POST", "/v1/payment_intents", { currency: "usd" }, 400, { code: "parameter_missing", param: "amount" }],
    ["POST", "/v1/payment_intents", { amount: "100" }, 400, { code: "parameter_missing", param: "currency" }],
    ["POST", "/v1/payment_intents", { amount: "1.5", currency: "usd" }, 400, { code: "parameter_invalid_integer" }],
    ["POST", "/v1/payment_intents", { amount: "-5", currency: "usd" }, 400, { code: "parameter_invalid_integer" }],
    ["POST", "/v1/payment_intents", { amount: "49", currency: "usd" }, 400, { code: "amount_too_small" }],
    ["POST", "/v1/payment_intents", { amount: "100000000", currency: "usd" }, 400, { code: "amount_too_large" }],
    ["POST", "/v1/payment_intents", { amount: "500", currency: "dollars" }, 400, { param: "currency" }],
    [
      "POST",
      "/v1/payment_intents",
      { amount: "500", currency: "usd", customer: "cus_none" },
      400,
      { param: "customer" },
    ],
    [
      "POST",
      "/v1/payment_intents",
      { amount: "500", currency: "usd", surprise: "1" },
      400,
      { code: "parameter_unknown" },
    ],
    [
      "POST",
      "/v1/payment_intents",
      { amount: "500", currency: "usd", off_session: "true" },
      400,
      { param: "off_session" },
    ],
    [
      "POST",
      "/v1/payment_intents",
      { amount: "500", currency: "usd", confirm: "true" },
      400,
      { code: "payment_intent_unexpected_state" },
    ],
    [
      "POST",
      "/v1/payment_intents",
      { amount: "500", currency: "usd", payment_method: "pm_none" },
      400,
      { code: "resource_missing" },
    ],
    ["POST", "/v1/customers", { email: "nobody" }, 400, { code: "email_invalid" }],
    ["POST", "/v1/refunds", {}, 400, { code: "parameter_missing", param: "charge" }],
    ["GET", "/v1/events", { limit: "101" }, 400, { param: "limit" }],
  ])("%s %s with %o returns %i", async (method, path, params, status, error) => {
    const answer = await bench.ask(method, path, params);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toMatchObject({ type: "invalid_request_error", message: expect.any(String), ...error });
    expect(answer.headers.get("Request-Id")).toMatch(/^req_/);
  });

  it("receives the objects that it asks to expand", async () => {
    const intent = await paidIntent();
    const path = `/v1/payment_intents/${intent.id}`;
    const { body } = await bench.ask("GET", path, {
      "expand[0]": "latest_charge.payment_intent",
      "expand[1]": "payment_method",
    });
    expect(body.latest_charge.payment_intent.id).toBe(intent.id);
    expect(body.payment_method.card.last4).toBe("4242");
    expect((await bench.ask("GET", path, { "expand[]": "nothing" })).status).toBe(400);
    const list = await bench.ask("GET", "/v1/payment_intents", { customer: customerId, "expand[]": "data.customer" });
    expect(list.body.data[0].customer.email).toBe("ada@example.com");
  });

  it("pages through a list", async () => {
    const made = [];
    for (let minute = 10; minute < 13; minute++) {
      bench.clock.set(`2026-03-10T13:${minute}:00Z`);
      made.unshift((await newIntent()).id);
    }
    const first = await bench.ask("GET", "/v1/payment_intents", { customer: customerId, limit: "2" });
    expect([first.body.data.map((intent: { id: string }) => intent.id), first.body.has_more]).toEqual([
      made.slice(0, 2),
      true,
    ]);
    const page = { customer: customerId, limit: "2", starting_after: made[1] ?? "" };
    const rest = await bench.ask("GET", "/v1/payment_intents", page);
    expect([rest.body.data.map((intent: { id: string }) => intent.id), rest.body.has_more]).toEqual([
      made.slice(2),
      false,
    ]);
  });
});

describe("An idempotency key", () => {
  it("replays the first response, even for a declined card", async () => {
    const params = intentParams({ confirm: "true", payment_method: "pm_card_visa_chargeDeclined" });
    const headers = { "Idempotency-Key": freshKey() };
    const first = await bench.ask("POST", "/v1/payment_intents", params, headers);
    const second = await bench.ask("POST", "/v1/payment_intents", params, headers);
    expect([first.status, second.status]).toEqual([402, 402]);
    expect(second.body).toEqual(first.body);
    expect([first, second].map(({ headers }) => headers.get("Idempotent-Replayed"))).toEqual([null, "true"]);
  });

  it("cannot be reused for a different request", async () => {
    const headers = { "Idempotency-Key": freshKey() };
    await bench.ask("POST", "/v1/payment_intents", intentParams(), headers);
    const other = await bench.ask("POST", "/v1/payment_intents", intentParams({ amount: "5001" }), headers);
    expect([other.status, other.body.error.type]).toEqual([400, "idempotency_error"]);
  });

  it("is not used up by a request that fails validation", async () => {
    const headers = { "Idempotency-Key": freshKey() };
    expect((await bench.ask("POST", "/v1/payment_intents", intentParams({ amount: "1" }), headers)).status).toBe(400);
    expect((await bench.ask("POST", "/v1/payment_intents", intentParams(), headers)).status).toBe(200);
  });

  it("expires after a day", async () => {
    const headers = { "Idempotency-Key": freshKey() };
    bench.clock.set("2026-03-11T00:00:00Z");
    const first = await bench.ask("POST", "/v1/payment_intents", intentParams(), headers);
    bench.clock.set("2026-03-12T00:00:01Z");
    const second = await bench.ask("POST", "/v1/payment_intents", intentParams(), headers);
    expect(second.body.id).not.toBe(first.body.id);
  });

  it("reduces fifty concurrent requests to one", async () => {
    const headers = { "Idempotency-Key": freshKey() };
    const params = intentParams({ confirm: "true", payment_method: "pm_card_visa" });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => bench.ask("POST", "/v1/payment_intents", params, headers)),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await chargesOf(answers[0]?.body.id)).toBe(1);
  });
});

describe("A confirmation in the browser", () => {
  it("needs the intent's client secret", async () => {
    const intent = await newIntent();
    const { status, body } = await bench.pay(
      { ...intent, clientSecret: `${intent.id}_secret_wrong` },
      "4242424242424242",
    );
    expect([status, body.error.param]).toEqual([400, "client_secret"]);
    expect((await bench.pay({ ...intent, clientSecret: "" }, "4242424242424242")).status).toBe(400);
  });

  it("returns only what a browser may see", async () => {
    const { status, body } = await bench.pay(await newIntent(), "4242424242424242");
    expect([status, body.status, body.amount]).toEqual([200, "succeeded", 12_345]);
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(["customer"]));
    expect(JSON.stringify(body)).not.toContain("order_id");
  });

  it("does not log a client that hangs up while it sends the body", async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error("aborted")) });
    const url = `${baseUrl}/test-mode/stripe/v1/payment_intents/pi_1/confirm`;
    const aborted = new Request(url, { method: "POST", body, duplex: "half" } as RequestInit);
    const before = bench.logged.length;
    await bench.simulator.confirmFromBrowser(aborted);
    expect(bench.logged.slice(before)).toEqual([]);
  });

  it("cannot reach anything but intents", async () => {
    for (const path of ["/v1/customers", "/v1/refunds", "/v1/events"]) {
      const request = new Request(`${baseUrl}/test-mode/stripe${path}`, { method: "POST", body: "charge=ch_1" });
      expect((await bench.simulator.confirmFromBrowser(request)).status).toBe(404);
    }
  });

  it.each([
    ["4000000000000002", "card_declined", "generic_decline"],
    ["4000000000009995", "card_declined", "insufficient_funds"],
    ["4000000000009987", "card_declined", "lost_card"],
    ["4000000000009979", "card_declined", "stolen_card"],
    ["4000000000000069", "expired_card", "expired_card"],
    ["4000000000000127", "incorrect_cvc", "incorrect_cvc"],
    ["4000000000000119", "processing_error", "processing_error"],
    ["4242424242424241", "incorrect_number", undefined],
    ["4111111111111111", "card_declined", "test_mode_live_card"],
  ])("with card %s returns 402 %s", async (number, code, declineCode) => {
    const { status, body } = await bench.pay(await newIntent(), number);
    expect([status, body.error.type, body.error.code, body.error.decline_code]).toEqual([
      402,
      "card_error",
      code,
      declineCode,
    ]);
  });

  it.each(["4242424242424242", "5555555555554444", "378282246310005", "4000000000000341", "4000000000000259"])(
    "with card %s succeeds",
    async (number) => {
      expect((await bench.pay(await newIntent(), number)).body.status).toBe("succeeded");
    },
  );

  it("does not store card numbers", async () => {
    await bench.pay(await newIntent(), "4242424242424242");
    const rows = await bench.db.query.simulatorObjects.findMany();
    expect(JSON.stringify(rows)).not.toContain("4242424242424242");
  });

  it("is rejected once the intent has succeeded or was cancelled", async () => {
    const paid = await paidIntent();
    const cancelled = await newIntent();
    await bench.gateway.cancelIntent(cancelled.id);
    for (const intent of [paid, cancelled]) {
      const { status, body } = await bench.pay(intent, "4242424242424242");
      expect([status, body.error.code]).toEqual([400, "payment_intent_unexpected_state"]);
    }
  });

  it("sent fifty times concurrently charges once", async () => {
    const intent = await newIntent();
    const answers = await Promise.all(Array.from({ length: 50 }, () => bench.pay(intent, "4242424242424242")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error?.code === "payment_intent_unexpected_state")).toHaveLength(49);
    expect(await chargesOf(intent.id)).toBe(1);
    expect(await eventsAbout(intent.id)).toEqual(["payment_intent.succeeded"]);
  });
});

describe("Authentication", () => {
  const returnUrl = `${baseUrl}/checkout/done?order=42`;

  it("happens on a page of the simulator and completes the payment", async () => {
    const intent = await newIntent();
    const { body } = await bench.pay(intent, "4000002500003155", { return_url: returnUrl });
    expect(body.status).toBe("requires_action");
    expect(body.next_action).toEqual({
      type: "redirect_to_url",
      redirect_to_url: {
        url: `${baseUrl}/test-mode/authenticate/${intent.id}?client_secret=${intent.clientSecret}`,
        return_url: returnUrl,
      },
    });
    expect(await bench.simulator.pendingAuthentication(intent.id, intent.clientSecret)).toEqual({
      payment: { amountCents: 12_345, currency: "USD", description: "Order 42" },
      card: { brand: "visa", last4: "3155" },
    });
    expect(await bench.simulator.completeAuthentication(intent.id, intent.clientSecret, true)).toEqual({
      status: "succeeded",
      returnUrl:
        `${returnUrl}&payment_intent=${intent.id}` +
        `&payment_intent_client_secret=${intent.clientSecret}&redirect_status=succeeded`,
    });
    expect(await eventsAbout(intent.id)).toEqual(["payment_intent.succeeded"]);
  });

  it("can be refused, after which another card can pay", async () => {
    const intent = await newIntent();
    await bench.pay(intent, "4000000000003220");
    const { status } = await bench.simulator.completeAuthentication(intent.id, intent.clientSecret, false);
    expect(status).toBe("requires_payment_method");
    expect(await bench.gateway.getIntent(intent.id)).toMatchObject({
      declineCode: "payment_intent_authentication_failure",
      chargeId: null,
    });
    expect((await bench.pay(intent, "4242424242424242")).body.status).toBe("succeeded");
    expect(await eventsAbout(intent.id)).toEqual(["payment_intent.payment_failed", "payment_intent.succeeded"]);
  });

  it("completes only once, and only with the client secret", async () => {
    const intent = await newIntent();
    await bench.pay(intent, "4000002500003155");
    const codeOf = (promise: Promise<unknown>) =>
      promise.then(
        () => "done",
        (error: unknown) => (error instanceof Refusal ? error.code : error),
      );
    const complete = (secret = intent.clientSecret) => bench.simulator.completeAuthentication(intent.id, secret, true);
    expect(await codeOf(complete("wrong"))).toBe("not_found");
    expect((await Promise.all([codeOf(complete()), codeOf(complete())])).sort()).toEqual(["conflict", "done"]);
    expect(await codeOf(bench.simulator.pendingAuthentication(intent.id, intent.clientSecret))).toBe("not_found");
    expect(await chargesOf(intent.id)).toBe(1);
  });

  it("rejects return URLs that are not web addresses", async () => {
    const { status, body } = await bench.pay(await newIntent(), "4000002500003155", {
      return_url: "javascript:alert(1)",
    });
    expect([status, body.error.code]).toEqual([400, "url_invalid"]);
  });
});

describe("A customer's cards", () => {
  it("are those saved during a payment", async () => {
    const kept = await paidIntent();
    await bench.pay(await newIntent(false), "5555555555554444");
    const { body } = await bench.ask("GET", `/v1/customers/${customerId}/payment_methods`, { type: "card" });
    expect(body.data.map((method: { id: string }) => method.id)).toEqual([kept.card?.paymentMethodId]);
  });

  it("can be attached and detached, and cannot pay once detached", async () => {
    const attached = await bench.ask("POST", "/v1/payment_methods/pm_card_visa/attach", { customer: customerId });
    const method = `/v1/payment_methods/${attached.body.id}`;
    const payment = intentParams({ confirm: "true", off_session: "true", payment_method: attached.body.id });
    expect((await bench.ask("POST", "/v1/payment_intents", payment)).body.status).toBe("succeeded");
    expect((await bench.ask("POST", `${method}/detach`)).body.customer).toBeNull();
    expect((await bench.ask("POST", `${method}/detach`)).status).toBe(400);
    expect((await bench.ask("POST", "/v1/payment_intents", payment)).status).toBe(400);
    const refused = await bench.ask("POST", "/v1/payment_methods/pm_card_visa_chargeDeclined/attach", {
      customer: customerId,
    });
    expect(refused.status).toBe(402);
  });
});

describe("A refund", () => {
  it("returns a part, then the rest, and never more", async () => {
    const intent = await paidIntent();
    const charge = intent.chargeId ?? "";
    expect((await bench.ask("POST", "/v1/refunds", { charge, amount: "345" })).body.amount).toBe(345);
    expect((await bench.ask("POST", "/v1/refunds", { charge, amount: "12001" })).status).toBe(400);
    expect((await bench.ask("POST", "/v1/refunds", { payment_intent: intent.id })).body.amount).toBe(12_000);
    expect((await bench.ask("POST", "/v1/refunds", { charge })).body.error.code).toBe("charge_already_refunded");
    expect((await bench.ask("GET", `/v1/charges/${charge}`)).body).toMatchObject({
      amount_refunded: 12_345,
      refunded: true,
    });
    expect(await eventsAbout(intent.id)).toEqual(["payment_intent.succeeded", "charge.refunded", "charge.refunded"]);
  });

  it("never returns more than was paid, even when requested concurrently", async () => {
    const charge = (await paidIntent()).chargeId ?? "";
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => bench.ask("POST", "/v1/refunds", { charge, amount: "5000" })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  });
});

describe("A dispute", () => {
  it("can be opened once and blocks refunds", async () => {
    const intent = await paidIntent();
    const charge = intent.chargeId ?? "";
    expect((await bench.simulator.openDispute(charge)).id).toMatch(/^du_/);
    await expect(bench.simulator.openDispute(charge)).rejects.toThrow(Refusal);
    expect((await bench.ask("POST", "/v1/refunds", { charge })).body.error.code).toBe("charge_disputed");
    expect(await eventsAbout(intent.id)).toEqual(["payment_intent.succeeded", "charge.dispute.created"]);
  });

  it("follows a payment with the test card that is always disputed", async () => {
    const intent = await paidIntent("4000000000000259");
    expect(await eventsAbout(intent.id)).toEqual(["payment_intent.succeeded", "charge.dispute.created"]);
  });
});

describe("Webhooks", () => {
  it("are signed, contain the object, and can be fetched as events", async () => {
    const intent = await paidIntent();
    await bench.simulator.idle();
    const delivery = bench.deliveries.find(({ event }) => event.paymentIntentId === intent.id);
    expect(delivery?.event).toMatchObject({ type: "payment_intent.succeeded", chargeId: intent.chargeId });
    const { body } = await bench.ask("GET", `/v1/events/${delivery?.event.id}`);
    expect(body).toEqual(JSON.parse(delivery?.rawBody ?? ""));
    const listed = await bench.ask("GET", "/v1/events", { type: "payment_intent.succeeded", limit: "100" });
    expect(listed.body.data.map((event: { id: string }) => event.id)).toContain(body.id);
  });

  it("do not delay the payment, and are retried until they are accepted", async () => {
    bench.endpoint.status = 503;
    const intent = await paidIntent();
    expect(intent.status).toBe("succeeded");
    expect(await eventsAbout(intent.id)).toHaveLength(3);
    expect(bench.logged.at(-1)).toContain("A simulated webhook was not taken");
    bench.endpoint.status = 200;
    expect(await bench.simulator.redeliver()).toBe(1);
    expect(await eventsAbout(intent.id)).toHaveLength(4);
    expect(await bench.simulator.redeliver()).toBe(0);
  });

  it("do not delay shutdown", async () => {
    let attempts = 0;
    const ending = createSimulator(bench.ctx, {
      webhookSecret,
      baseUrl,
      retryDelaysMs: [60_000],
      deliver: async () => {
        attempts += 1;
        return { status: 500 };
      },
    });
    bench.endpoint.status = 500;
    await bench.simulator.refundCharge((await paidIntent()).chargeId ?? "", 1);
    await bench.simulator.idle();
    await ending.redeliver();
    await vi.waitFor(() => expect(attempts).toBe(1), { timeout: 15_000 });
    await ending.stop();
    bench.endpoint.status = 200;
    expect(await bench.simulator.redeliver()).toBe(2);
    await bench.simulator.idle();
  });

  it("are redelivered after a restart", async () => {
    bench.endpoint.status = 500;
    const intent = await paidIntent();
    await bench.simulator.idle();
    const taken: string[] = [];
    const restarted = createSimulator(bench.ctx, {
      webhookSecret,
      baseUrl,
      deliver: async (rawBody, signature) => {
        taken.push((await bench.gateway.readEvent(rawBody, signature, bench.clock.now())).paymentIntentId ?? "");
        return { status: 200 };
      },
    });
    await restarted.redeliver();
    await restarted.idle();
    expect(taken).toEqual([intent.id]);
  });
});
