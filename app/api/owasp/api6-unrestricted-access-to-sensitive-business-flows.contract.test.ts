/** OWASP API6:2023: registering, buying, paying and guessing cannot be automated without end. */
import { expect, inject, it } from "vitest";
import { liveApi } from "../../testing/live-api.ts";

const { send, register } = liveApi(inject("services").server);

const order = async (token: string) => {
  const { json } = await send("GET", "/api/route-access/all-routes?limit=1", { token });
  const body = { period_id: json.routes[0].periods[0].period_id, subscription_term: "1_month" };
  return send("POST", "/api/subscriptions/create-payment-intent", { token, body });
};

const tryCard = (intent: { payment_intent_id: string; client_secret: string }, number: string) =>
  send("POST", `/test-mode/stripe/v1/payment_intents/${intent.payment_intent_id}/confirm`, {
    form: {
      client_secret: intent.client_secret,
      "payment_method_data[type]": "card",
      "payment_method_data[card][number]": number,
      "payment_method_data[card][exp_month]": "12",
      "payment_method_data[card][exp_year]": "2039",
      "payment_method_data[card][cvc]": "123",
    },
  });

it("Cards cannot be tested: after ten declines the payment is cancelled and no other begins", async () => {
  const { token } = await register();
  const { json: intent } = await order(token);
  for (let i = 0; i < 10; i += 1) expect((await tryCard(intent, "4000000000000002")).status).toBe(402);
  // The payment provider reports declines on its own.
  await expect.poll(async () => (await tryCard(intent, "4000000000000002")).status, { timeout: 20_000 }).toBe(400);
  expect((await tryCard(intent, "4242424242424242")).status).toBe(400);
  const refused = await order(token);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

it("Accounts cannot be registered in masses from one address, with an account's own limit either", async () => {
  const { token, username } = await register();
  let status = 201;
  for (let i = 0; i < 61 && status !== 429; i += 1) {
    const name = `${username}-${i}`;
    const body = { email: `${name}@example.com`, username: name, password: "a calm sea in november" };
    ({ status } = await send("POST", "/api/auth/register", { token, body, address: "203.0.115.7" }));
    expect([201, 429]).toContain(status);
  }
  expect(status).toBe(429);
  // The account's limit is not used up, and neither is that of other addresses.
  expect((await send("GET", "/api/api-keys", { token, address: "203.0.115.7" })).status).toBe(200);
});

it("Reports of found keys are limited by address, and say nothing about keys", async () => {
  const { token } = await register();
  const body = { api_key_name: "Found", user: "me" };
  const { json: key } = await send("POST", "/api/api-keys/generate", { token, body });
  const answers = [];
  for (let i = 0; i < 61; i += 1) {
    const found = i === 5 || i === 10 ? key.api_key : `srd_live_${i}`;
    const sent = { body: { api_key: found }, address: "203.0.116.7" };
    answers.push(await send("POST", "/api/leaked-keys", sent));
  }
  expect((await send("GET", `/api/api-keys/${key.id}`, { token })).status).toBe(404);
  expect(new Set(answers.slice(0, 20).map(({ text }) => text)).size).toBe(1);
  expect(answers.at(-1)?.status).toBe(429);
});
