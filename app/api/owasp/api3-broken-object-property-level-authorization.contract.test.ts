/** OWASP API3:2023: clients can neither set properties that are not theirs, nor read those that are nobody's. */
import { beforeAll, describe, expect, inject, it } from "vitest";
import { bodyOf, named, urlOf } from "../../testing/contract-requests.ts";
import { liveApi } from "../../testing/live-api.ts";
import { contracts } from "../contracts/all.ts";

const { send, register } = liveApi(inject("services").server);

let account: Awaited<ReturnType<typeof register>>;
/** The account's own records, by the parameter that names them. */
const owned: Record<string, number> = {};
/** What is shown once, when it is made. */
const shownOnce: string[] = [];
beforeAll(async () => {
  account = await register();
  const { token } = account;
  const key = await send("POST", "/api/api-keys/generate", { token, body: { api_key_name: "Own", user: "own" } });
  const hook = { url: "https://1.1.1.1/hook", event_types: ["api_key.revoked"], description: "" };
  const endpoint = await send("POST", "/api/webhooks", { token, body: hook });
  await send("POST", `/api/webhooks/${endpoint.json.id}/test`, { token });
  const deliveries = await send("GET", `/api/webhooks/${endpoint.json.id}/deliveries`, { token });
  const { json: catalogue } = await send("GET", "/api/route-access/all-routes?limit=1", { token });
  const watch = await send("POST", "/api/watchlist", { token, body: { route_id: catalogue.routes[0].id } });
  owned.api_key_id = key.json.id;
  owned.endpoint_id = endpoint.json.id;
  owned.delivery_id = deliveries.json.deliveries[0].id;
  owned.watch_id = watch.json.id;
  shownOnce.push(account.password, key.json.api_key, endpoint.json.secret);
});

/** Properties of accounts, orders and keys that only the service sets. */
const foreign = {
  id: 1,
  account_id: 1,
  role: "operator",
  is_operator: true,
  plan: "enterprise",
  standing: "good",
  custom_hourly_limit: 1_000_000,
  custom_discount_percent: 100,
  amount_cents: 1,
  total_cents: 1,
  discount_percent: 100,
  email_verified_at: "2026-01-01T00:00:00Z",
  created_at: "2026-01-01T00:00:00Z",
  secret_hash: "00",
};

describe.each(named(contracts.filter(({ body, path }) => body !== undefined && path !== "/auth/register")))(
  "%s",
  (_, contract) => {
    it("does not accept properties that its contract does not declare", async () => {
      const body = bodyOf(contract) ?? {};
      const added = Object.fromEntries(Object.entries(foreign).filter(([name]) => !(name in body)));
      const { status, json } = await send(contract.method, urlOf(contract, {}), {
        token: account.token,
        body: { ...body, ...added },
      });
      expect(status).toBe(422);
      expect(json.errors.map(({ path }: { path: string }) => path.split(".").at(-1))).toContain("role");
    });
  },
);

it("A registration cannot choose its plan or role", async () => {
  const body = { email: "greedy@example.com", username: "greedy-one", password: "a long pass phrase" };
  const refused = await send("POST", "/api/auth/register", { body: { ...body, ...foreign } });
  expect(refused.status).toBe(422);
});

/** Of what the database knows, what no response may have. */
const hidden =
  /"(?:password\w*|secret_hash|sealed\w*|token_hash|stripe_customer_id|payment_method_id|recovery_codes?|ip_address|session_id)"/i;

const read = contracts.filter(({ method, path }) => method === "GET" && !/events|updates|openapi/.test(path));

it("Records are read by ids that these tests know", async () => {
  const { token } = account;
  for (const contract of read.filter(({ path }) => /\{\w+_id\}/.test(path))) {
    const { status } = await send("GET", urlOf(contract, owned), { token });
    expect([contract.id, status]).toEqual([contract.id, 200]);
  }
  expect(shownOnce.map((secret) => secret.length > 10)).toEqual([true, true, true]);
});

describe.each(named(read))("%s", (_, contract) => {
  it("returns nothing that is the service's own, and no secret a second time", async () => {
    const { text } = await send("GET", urlOf(contract, owned), { token: account.token });
    expect(text).not.toMatch(hidden);
    for (const secret of shownOnce) expect(text).not.toContain(secret);
  });
});
