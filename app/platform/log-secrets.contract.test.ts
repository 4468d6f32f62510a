/** What the service logs while it gets every kind of request, with secrets in the right places and in wrong ones. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type LiveApi, liveApi } from "../testing/live-api.ts";
import { secretsIn } from "../testing/log-secrets.ts";
import { type Service, startService } from "../testing/service.ts";

const limitMs = 600_000;
const card = "4242424242424242";
const declinedCard = "4000000000000002";

let service: Service;
let api: LiveApi;
/** Of its output: the demo's login, which it shows at the start. */
let announced: number;
const secrets = new Map<string, string>();

beforeAll(async () => {
  service = await startService({ env: { TRUST_PROXY: "1" } });
  api = liveApi(service.url);
  await vi.waitFor(() => expect(service.output()).toContain("srd_live_"), { timeout: 30_000, interval: 100 });
  announced = service.output().length;
}, limitMs);
afterAll(() => service?.stop());

const remember = <Secrets extends Record<string, string>>(found: Secrets): Secrets => {
  for (const [name, secret] of Object.entries(found)) secrets.set(name, secret);
  return found;
};

/** All places in which a client may put a secret by mistake. */
const misplace = async (secret: string) => {
  const text = encodeURIComponent(secret);
  const body = { email: secret, password: secret, [secret]: secret, api_key_name: secret, number: secret };
  const json = { "Content-Type": "application/json" };
  const requests: [string, string, Parameters<LiveApi["send"]>[2]?][] = [
    ["GET", `/api/api-routes-data?id=${text}&api_key=${text}`],
    ["GET", `/api/${text}`],
    ["GET", `/api/api-keys/${text}`],
    ["GET", `/${text}`],
    ["GET", `/routes?q=${text}`],
    ["GET", `/search?q=${text}`],
    ["GET", `/sign-in?next=/${text}`],
    ["GET", `/reset-password?token=${text}`],
    ["GET", `/verify-email?token=${text}`],
    ["GET", `/alerts/stop/${text}`],
    ["GET", "/api/api-keys", { headers: { Authorization: secret } }],
    ["GET", "/api/api-keys", { token: secret }],
    ["GET", "/api/api-routes-data?id=1", { key: { secret, user: secret } }],
    [
      "GET",
      "/api/api-keys",
      { headers: { "X-Request-Id": secret, "User-Agent": secret, Referer: `http://x/${text}` } },
    ],
    ["GET", "/", { cookie: `srds_session=${text}; srds_device=${text}` }],
    ["DELETE", `/api/subscriptions/${text}`],
    ["POST", "/api/auth/login", { body }],
    ["POST", "/api/auth/register", { body }],
    ["POST", "/api/auth/login", { body: `{"password": "${secret}"`, headers: json }],
    ["POST", "/api/leaked-keys", { body: { api_key: `${secret} ` } }],
    ["POST", "/api/mcp", { body: { jsonrpc: "2.0", id: 1, method: secret, params: { name: secret } } }],
    ["POST", "/hooks/stripe", { body: { id: secret }, headers: { "Stripe-Signature": secret } }],
    ["POST", "/hooks/inngest", { body, headers: { "X-Inngest-Signature": secret } }],
    ["POST", "/sign-in", { form: { email: secret, password: secret }, headers: { Origin: service.url } }],
    ["POST", "/forgot-password", { form: { email: secret }, headers: { Origin: service.url } }],
    ["POST", "/no-such-page", { form: { email: secret }, headers: { Origin: service.url } }],
    ["POST", "/test-mode/stripe/v1/payment_intents/pi_1/confirm", { form: { client_secret: secret } }],
  ];
  for (const [method, path, sent] of requests) {
    const { status } = await api.send(method, path, sent).catch(() => ({ status: 400 }));
    // A secret in a request is no reason to fail.
    expect([method, path, status < 500 || status === 501]).toEqual([method, path, true]);
  }
};

const pay = (intent: { payment_intent_id: string; client_secret: string }, number: string) =>
  api.send("POST", `/test-mode/stripe/v1/payment_intents/${intent.payment_intent_id}/confirm`, {
    form: {
      client_secret: intent.client_secret,
      "payment_method_data[type]": "card",
      "payment_method_data[card][number]": number,
      "payment_method_data[card][exp_month]": "12",
      "payment_method_data[card][exp_year]": "2039",
      "payment_method_data[card][cvc]": "123",
    },
  });

/** What account holders do, with all their secrets. */
const scenario = async () => {
  const { token, email, password, username } = await api.register();
  remember({ token, email, password });
  const login = await api.send("POST", "/api/auth/login", { body: { email, password } });
  const refreshed = await api.send("POST", "/api/auth/refresh", { token: login.json.access_token });
  remember({ loginToken: login.json.access_token, refreshedToken: refreshed.json.access_token });
  const created = await api.send("POST", "/api/api-keys/generate", {
    token,
    body: { api_key_name: "Sync", user: username },
    headers: { "Idempotency-Key": "a-secret-idempotency-key" },
  });
  const key = { secret: created.json.api_key as string, user: username };
  remember({ key: key.secret, idempotencyKey: "a-secret-idempotency-key" });
  await api.send("GET", "/api/api-routes-data?id=1", { key });
  await api.send("GET", "/api/api-routes-data?id=1", { key: { ...key, user: email } });
  const hook = { url: "https://1.1.1.1/secret-path", event_types: ["api_key.revoked"], description: "" };
  const endpoint = await api.send("POST", "/api/webhooks", { token, body: hook });
  if (endpoint.status === 201) remember({ signingSecret: endpoint.json.secret });
  const routes = await api.send("GET", "/api/route-access/all-routes?limit=1", { token });
  const body = { period_id: routes.json.routes[0].periods[0].period_id, subscription_term: "1_month" };
  const intent = (await api.send("POST", "/api/subscriptions/create-payment-intent", { token, body })).json;
  remember({ clientSecret: intent.client_secret });
  expect((await pay(intent, declinedCard)).status).toBe(402);
  expect((await pay(intent, card)).status).toBe(200);
  const paid = { payment_intent_id: intent.payment_intent_id };
  expect((await api.send("POST", "/api/subscriptions/payment-success", { token, body: paid })).status).toBe(200);
  const cookie = await api.signIn({ email, password });
  remember({ cookie: cookie.split("=")[1] ?? "" });
  for (const page of ["/", "/account/security", "/api-keys", "/billing", "/usage/logs", "/subscriptions"]) {
    expect((await api.send("GET", page, { cookie })).status).toBeLessThan(400);
  }
  await api.send("POST", "/forgot-password", { form: { email }, headers: { Origin: service.url } });
  const { json: mail } = await api.send("GET", "/test-mode/mailbox.json");
  for (const { text } of mail.messages as { text: string }[]) {
    for (const [, linkToken] of text.matchAll(/token=([\w-]{16,})/g))
      remember({ [`link ${linkToken}`]: linkToken ?? "" });
  }
};

it("Nothing secret or personal is in the output of the service", { timeout: limitMs }, async () => {
  await scenario();
  remember({ card, declinedCard });
  for (const secret of [...secrets.values()].slice(0, 6).concat(card)) await misplace(secret);
  await service.terminate();
  const lines = service.output().slice(announced).split("\n");
  // It logs at all.
  expect(lines.some((line) => line.includes("A payment event was handled"))).toBe(true);
  const found = lines.flatMap((line) => [
    ...secretsIn(line).map((kind) => `${kind}: ${line}`),
    ...[...secrets].filter(([, secret]) => line.includes(secret)).map(([name]) => `${name}: ${line}`),
  ]);
  expect(found).toEqual([]);
});
