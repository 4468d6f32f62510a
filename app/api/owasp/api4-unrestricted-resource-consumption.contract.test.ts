/** OWASP API4:2023: every request has a price, and a size that it cannot exceed. */

import { beforeAll, describe, expect, inject, it } from "vitest";
import { bodyOf, named, operationOf, urlOf } from "../../testing/contract-requests.ts";
import { liveApi } from "../../testing/live-api.ts";
import { contracts } from "../contracts/all.ts";

const { send, register, signIn } = liveApi(inject("services").server);

let account: Awaited<ReturnType<typeof register>>;
beforeAll(async () => {
  account = await register();
});

const usable = (access: string) => access !== "key";

describe.each(named(contracts))("%s", (_, contract) => {
  it("states its limits, whatever the answer", async () => {
    const { headers } = await send(contract.method, urlOf(contract, {}), { body: contract.body ? {} : undefined });
    for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]) {
      expect(headers.get(name)).toMatch(/^\d+$/);
    }
  });
});

describe.each(named(contracts.filter(({ body, access }) => body && usable(access))))("%s", (_, contract) => {
  it("accepts at most 64 KiB", async () => {
    const body = { ...bodyOf(contract), padding: "x".repeat(66_000) };
    const { status } = await send(contract.method, urlOf(contract, {}), { token: account.token, body });
    expect(status).toBe(413);
  });
});

const paged = contracts.filter(
  (contract) =>
    usable(contract.access) &&
    (operationOf(contract).parameters ?? []).some((parameter) => "name" in parameter && parameter.name === "limit"),
);

describe.each(named(paged))("%s", (_, contract) => {
  it.each(["1000000", "0", "-1", "1e9", "NaN"])("does not return pages of %s records", async (limit) => {
    const { status } = await send("GET", `${urlOf(contract, {})}?limit=${limit}`, { token: account.token });
    expect(status).toBe(422);
  });
});

it("Lists of ids and items are limited", async () => {
  const { token } = account;
  const many = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
  const access = await send("POST", "/api/route-access/check-access", { token, body: { route_ids: many(101) } });
  const items = many(51).map((period_id) => ({ period_id, subscription_term: "1_month" }));
  const price = await send("POST", "/api/subscriptions/calculate-subscription-price", { token, body: { items } });
  expect([access.status, price.status]).toEqual([422, 422]);
});

it("A deeply nested body is rejected, and the service goes on", async () => {
  const { token } = account;
  const body = "[".repeat(30_000) + "]".repeat(30_000);
  const { status } = await send("POST", "/api/route-access/check-access", { token, body });
  expect([400, 422]).toContain(status);
  expect((await send("GET", "/api/api-keys", { token })).status).toBe(200);
});

it("A visitor's requests are limited by address, and the answer says when to come back", async () => {
  const ask = () => send("GET", "/api/catalogue/ports", { address: "203.0.114.7" });
  let last = await ask();
  // 60 an hour. An hour may begin meanwhile.
  for (let sent = 1; sent <= 120 && last.status !== 429; sent += 1) last = await ask();
  expect(last.status).toBe(429);
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
});

it("Drawn documents are limited by account and second", async () => {
  const cookie = await signIn(account);
  const draw = async () => (await send("GET", "/billing/1/receipt.pdf", { cookie })).status;
  const statuses = new Set<number>();
  // On a slow machine ten at a time may take more than a second.
  for (let drawn = 0; drawn < 310 && !statuses.has(429); drawn += 20) {
    for (const status of await Promise.all(Array.from({ length: 20 }, draw))) statuses.add(status);
  }
  expect([...statuses].sort()).toEqual([404, 429]);
}, 180_000);
