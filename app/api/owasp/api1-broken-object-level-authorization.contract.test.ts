/** OWASP API1:2023: a record of another account looks like one that does not exist. */
import { beforeAll, describe, expect, inject, it } from "vitest";
import { bodyOf, named, urlOf } from "../../testing/contract-requests.ts";
import { liveApi } from "../../testing/live-api.ts";
import { contracts } from "../contracts/all.ts";

const { send, register } = liveApi(inject("services").server);

/** What belongs to the owner, by the parameter that names it. */
const owned: Record<string, string | number> = {};
let paymentIntentId: string;
let owner: Awaited<ReturnType<typeof register>>;
let stranger: Awaited<ReturnType<typeof register>>;

beforeAll(async () => {
  [owner, stranger] = [await register(), await register()];
  const { token } = owner;
  const key = await send("POST", "/api/api-keys/generate", { token, body: { api_key_name: "Own", user: "own" } });
  owned.api_key_id = key.json.id;
  const hook = { url: "https://1.1.1.1/hook", event_types: ["api_key.revoked"], description: "" };
  const endpoint = await send("POST", "/api/webhooks", { token, body: hook });
  owned.endpoint_id = endpoint.json.id;
  await send("POST", `/api/webhooks/${owned.endpoint_id}/test`, { token });
  const sent = await send("GET", `/api/webhooks/${owned.endpoint_id}/deliveries`, { token });
  owned.delivery_id = sent.json.deliveries[0].id;
  const { json } = await send("GET", "/api/route-access/all-routes?limit=1", { token });
  const [route] = json.routes;
  const watch = await send("POST", "/api/watchlist", { token, body: { route_id: route.id } });
  owned.watch_id = watch.json.id;
  const order = { period_id: route.periods[0].period_id, subscription_term: "1_month" };
  const intent = (await send("POST", "/api/subscriptions/create-payment-intent", { token, body: order })).json;
  paymentIntentId = intent.payment_intent_id;
  const form = {
    client_secret: intent.client_secret,
    "payment_method_data[type]": "card",
    "payment_method_data[card][number]": "4242424242424242",
    "payment_method_data[card][exp_month]": "12",
    "payment_method_data[card][exp_year]": "2039",
    "payment_method_data[card][cvc]": "123",
  };
  const confirmed = await send("POST", `/test-mode/stripe/v1/payment_intents/${paymentIntentId}/confirm`, { form });
  expect(confirmed.status).toBe(200);
  const body = { payment_intent_id: paymentIntentId };
  const paid = await send("POST", "/api/subscriptions/payment-success", { token, body });
  expect([paid.status, paid.text]).toEqual([200, expect.anything()]);
  owned.subscription_id = paid.json.subscriptions[0].id;
});

const byId = contracts.filter(({ path }) => /\{\w+_id\}/.test(path));

describe("A record of another account", () => {
  it("is named by an id that these tests know, at every endpoint", () => {
    const names = new Set(byId.flatMap(({ path }) => [...path.matchAll(/\{(\w+_id)\}/g)].map(([, name]) => name)));
    expect([...names].sort()).toEqual(Object.keys(owned).sort());
    expect(byId.length).toBeGreaterThan(20);
  });

  it.each(named(byId))("is not found by %s", async (_, contract) => {
    const sent = { token: stranger.token, body: bodyOf(contract) };
    const { status, json } = await send(contract.method, urlOf(contract, owned), sent);
    expect([status, json.success]).toEqual([404, false]);
    const missing = Object.fromEntries(Object.keys(owned).map((name) => [name, 2_000_000_001]));
    const other = await send(contract.method, urlOf(contract, missing), sent);
    expect([other.status, other.json.message]).toEqual([status, json.message]);
  });

  it.each(["renew", "cancel", "auto-renew"])("is not found when its id is in the body of a bulk %s", async (act) => {
    const body = { subscription_ids: [owned.subscription_id], ...(act === "auto-renew" ? { auto_renew: false } : {}) };
    const contract = contracts.find(({ path }) => path === `/subscriptions/${act}`);
    expect(
      (await send(contract?.method ?? "POST", `/api/subscriptions/${act}`, { token: stranger.token, body })).status,
    ).toBe(404);
  });

  it("is not found by its payment", async () => {
    const sent = { token: stranger.token, body: { payment_intent_id: paymentIntentId } };
    expect((await send("POST", "/api/subscriptions/payment-success", sent)).status).toBe(404);
  });

  it("is still there for its owner", async () => {
    const { token } = owner;
    const found = await send("GET", `/api/api-keys/${owned.api_key_id}`, { token });
    expect([found.status, found.json.status]).toEqual([200, "active"]);
    const webhook = `/api/webhooks/${owned.endpoint_id}`;
    for (const path of [`/api/watchlist/${owned.watch_id}`, webhook, `${webhook}/deliveries/${owned.delivery_id}`]) {
      expect([path, (await send("GET", path, { token })).status]).toEqual([path, 200]);
    }
    const mine = await send("GET", "/api/subscriptions/my-routes", { token });
    expect(mine.json.subscriptions).toMatchObject([{ id: owned.subscription_id, auto_renew: true }]);
  });
});
