/** A purchase by API alone: account, price, payment, key, data. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { usageLogs } from "#drizzle/schema/index.ts";
import { setPopularity } from "../domain/catalogue/popularity.server.ts";
import { stripeApiVersion } from "../domain/payments/stripe.server.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { call } from "../testing/api-client.ts";
import { createWorld, payWith, type World } from "../testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ webhooks: false });
});
afterAll(() => world.close());
beforeEach(() => {
  world.ctx.rateLimiter = memoryRateLimiter();
});

const registerAt = async (name: string) => {
  const body = { email: `${name}@example.com`, password: "correct horse battery", username: name };
  const reply = await call(world, "POST", "/auth/register", { body });
  expect(reply.status).toBe(201);
  return reply.body.access_token as string;
};

const subscribe = async (token: string) => {
  const routes = await call(world, "GET", "/route-access/all-routes?origin=CNSHA&destination=NLRTM", { token });
  const [route] = routes.body.routes;
  const item = { period_id: route.periods[0].period_id, subscription_term: "3_months" };
  const price = await call(world, "POST", "/subscriptions/calculate-single-route-price", { token, body: item });
  const intent = await call(world, "POST", "/subscriptions/create-payment-intent", { token, body: item });
  await payWith(world, { id: intent.body.payment_intent_id, clientSecret: intent.body.client_secret });
  const body = { payment_intent_id: intent.body.payment_intent_id };
  const bought = await call(world, "POST", "/subscriptions/payment-success", { token, body });
  return {
    route,
    price,
    intent,
    bought,
    again: await call(world, "POST", "/subscriptions/payment-success", { token, body }),
  };
};

describe("From an empty account to a route's data", () => {
  it("takes price, payment, key and one request", async () => {
    const token = await registerAt("forwarder");
    const { route, price, intent, bought, again } = await subscribe(token);

    expect(route).toMatchObject({ code: "C-CNSHA-NLRTM-PEL9", name: "Shanghai – Rotterdam", has_access: false });
    const [line] = price.body.lines;
    expect(line).toMatchObject({ months: 3, term_discount_percent: 10, volume_discount_percent: 0 });
    expect(line.list_cents).toBe(line.monthly_cents * 3);
    expect(line.total_cents).toBe(Math.floor((line.list_cents * 90 + 50) / 100));
    expect(line.route).toEqual({ id: route.id, code: route.code, name: route.name });
    const intentId = intent.body.payment_intent_id;
    expect(intent.body).toMatchObject({
      amount_cents: line.total_cents,
      currency: "USD",
      publishable_key: expect.stringMatching(/^pk_test_/),
      provider_api_version: stripeApiVersion,
      confirm_url: `http://localhost:3000/test-mode/stripe/v1/payment_intents/${intentId}/confirm`,
      lines: [{ ...line, credit_cents: 0 }],
    });

    expect(bought.status).toBe(200);
    expect(bought.body.subscriptions).toMatchObject([
      {
        route_name: "Shanghai – Rotterdam",
        subscription_term: "3_months",
        start_date: "2026-11-20",
        end_date: "2027-02-20",
        status: "active",
        auto_renew: true,
        route_id: route.id,
      },
    ]);
    expect(again.body).toEqual(bought.body);
    const invoices = await call(world, "GET", "/subscriptions/invoices", { token });
    expect(invoices.body.invoices[0].lines).toEqual(intent.body.lines);
    const mine = await call(world, "GET", "/subscriptions/my-routes", { token });
    expect(mine.body.subscriptions).toEqual(bought.body.subscriptions);

    const body = { api_key_name: "Rate sync", user: "forwarder" };
    const generated = await call(world, "POST", "/api-keys/generate", { token, body });
    expect(generated.body).toMatchObject({ ...body, id: expect.any(Number), status: "active" });
    const key = { secret: generated.body.api_key, user: "forwarder" };

    const data = await call(world, "GET", `/api-routes-data?id=${route.id}`, { key });
    expect(data.status).toBe(200);
    expect(data.body).toMatchObject({
      id: route.id,
      origin_port: { unlocode: "CNSHA" },
      destination_port: { unlocode: "NLRTM" },
      capacity: { unit: "TEU" },
      access: { reason: "active", access_until: "2027-02-20" },
    });
    expect(data.body.waypoints.length).toBeGreaterThan(5);
    const [byPanama, byCape] = data.body.alternatives;
    expect(data.body.alternatives).toHaveLength(2);
    expect(byPanama).toMatchObject({ via: "Panama Canal", extra_distance_nm: expect.any(Number) });
    expect(byCape).toMatchObject({ via: "Cape of Good Hope", extra_days: expect.any(Number) });
    expect(byCape.distance_nm - byCape.extra_distance_nm).toBe(data.body.distance_nm);
    expect(data.body.reports).toHaveLength(50);
    expect(data.body.next_cursor).toEqual(expect.any(String));
  });

  it("is answered 403 before the purchase and after the end", async () => {
    const token = await registerAt("early");
    const { id } = (await call(world, "GET", "/route-access/all-routes?q=shanghai", { token })).body.routes[0];
    const before = await call(world, "GET", `/route-access/routes-data?id=${id}`, { token });
    expect([before.status, before.body.message]).toEqual([403, "Insufficient permissions"]);
    await subscribe(token);
    world.clock.set("2027-02-19T23:59:59Z");
    const login = { email: "early@example.com", password: "correct horse battery" };
    const late = (await call(world, "POST", "/auth/login", { body: login })).body.access_token;
    expect((await call(world, "GET", `/route-access/routes-data?id=${id}`, { token: late })).status).toBe(200);
    world.clock.set("2027-02-20T00:00:00Z");
    expect((await call(world, "GET", `/route-access/routes-data?id=${id}`, { token: late })).status).toBe(403);
    const check = await call(world, "POST", "/route-access/check-access", { token: late, body: { route_id: id } });
    expect(check.body).toMatchObject({ has_access: false, reason: "expired", access_until: null });
    world.clock.set("2026-11-20T09:30:00Z");
  });
});

describe("A period on sale", () => {
  it("names the factors of its price and its successor, and has an id like every record of the hierarchy", async () => {
    const token = await registerAt("analyst");
    const { body } = await call(world, "GET", "/route-access/all-routes?q=shanghai", { token });
    const [period] = body.routes[0].periods;
    const { base_cents, freshness_percent, popularity_percent } = period.price_factors;
    expect(period).toMatchObject({ id: period.period_id, successor_period_id: null });
    expect({ weekly: 100, daily: 125, real_time: 160 }[period.freshness as string]).toBe(freshness_percent);
    expect(period.monthly_cents).toBe(
      Math.floor((base_cents * freshness_percent * popularity_percent + 5_000) / 10_000),
    );
  });
});

describe("Route data", () => {
  it("has an ETag, and answers If-None-Match with 304 and no body", async () => {
    const token = await registerAt("cacher");
    const { route } = await subscribe(token);
    const path = `/route-access/routes-data?id=${route.id}&limit=5`;
    const { headers } = await call(world, "GET", path, { token });
    const again = await call(world, "GET", path, { token, headers: { "If-None-Match": headers.ETag ?? "" } });
    expect([again.status, again.text]).toEqual([304, ""]);
    expect(again.headers["X-RateLimit-Limit"]).toBe("1000");
  });

  it("changes its ETag with its price, and keeps it for the next request", async () => {
    const token = await registerAt("newcomer");
    const { route } = await subscribe(token);
    const path = `/route-access/routes-data?id=${route.id}&limit=5`;
    const before = await call(world, "GET", path, { token });
    await setPopularity(world.ctx.db, [route.id], 150);
    const after = await call(world, "GET", path, { token, headers: { "If-None-Match": before.headers.ETag ?? "" } });
    expect(after.status).toBe(200);
    expect(after.body.periods[0].monthly_cents).toBeGreaterThan(before.body.periods[0].monthly_cents);
    const again = await call(world, "GET", path, { token });
    expect([again.text, again.headers.ETag]).toEqual([after.text, after.headers.ETag]);
    await setPopularity(world.ctx.db, [route.id], 80);
  });

  it("pages through all reports once, newest first", async () => {
    const token = await registerAt("pager");
    const { route } = await subscribe(token);
    const seen: { id: number; observed_at: string }[] = [];
    let cursor: string | null = "";
    world.ctx.rateLimiter = memoryRateLimiter();
    for (let pages = 0; cursor !== null && pages < 15; pages++) {
      const next: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { body } = await call(world, "GET", `/route-access/routes-data?id=${route.id}&limit=30${next}`, { token });
      seen.push(...body.reports);
      cursor = body.next_cursor;
    }
    expect(cursor).toBeNull();
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    expect(seen.map(({ observed_at }) => observed_at)).toEqual(
      seen
        .map(({ observed_at }) => observed_at)
        .toSorted()
        .toReversed(),
    );
    const bad = await call(world, "GET", `/route-access/routes-data?id=${route.id}&cursor=nonsense`, { token });
    expect([bad.status, bad.body.errors[0].path]).toEqual([422, "cursor"]);
  });
});

describe("A key", () => {
  it("stops working with the next request when it is deactivated or deleted", async () => {
    const token = await registerAt("keeper");
    const { route } = await subscribe(token);
    const body = { api_key_name: "=HYPERLINK(1)", user: "keeper" };
    const { body: made } = await call(world, "POST", "/api-keys/generate", { token, body });
    const key = { secret: made.api_key, user: "keeper" };
    const read = async () => (await call(world, "GET", `/api-routes-data?id=${route.id}`, { key })).status;
    const turn = (status: string) => call(world, "PUT", `/api-keys/${made.id}/status`, { token, body: { status } });
    expect(await read()).toBe(200);
    expect((await turn("inactive")).body.status).toBe("inactive");
    expect(await read()).toBe(401);
    expect((await turn("active")).body).toMatchObject({ status: "active", requests: 1 });
    expect(await read()).toBe(200);
    const csv = await call(world, "GET", "/api-keys/export", { token });
    expect(csv.headers["Content-Type"]).toContain("text/csv");
    expect(csv.text).toContain("'=HYPERLINK(1)");
    expect(csv.text).not.toContain(made.api_key);
    expect((await call(world, "DELETE", `/api-keys/${made.id}`, { token })).status).toBe(200);
    expect(await read()).toBe(401);
  });

  it("is limited to two on the free plan, even for concurrent requests", async () => {
    const token = await registerAt("greedy");
    const body = { api_key_name: "one of many", user: "greedy" };
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => call(world, "POST", "/api-keys/generate", { token, body })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409, 409, 409, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.body.message).toContain("free plan allows 2");
  });
});

describe("A bearer token", () => {
  it("is exchanged by refresh and revoked", async () => {
    const token = await registerAt("refresher");
    const refreshed = await call(world, "POST", "/auth/refresh", { token });
    expect(refreshed.body).toMatchObject({
      token_type: "Bearer",
      expires_at: expect.stringMatching(/^2026-11-21T09:30/),
    });
    expect((await call(world, "GET", "/api-keys", { token })).status).toBe(401);
    const fresh = refreshed.body.access_token;
    expect((await call(world, "GET", "/api-keys", { token: fresh })).status).toBe(200);
    world.clock.set("2026-11-21T09:31:00Z");
    expect((await call(world, "GET", "/api-keys", { token: fresh })).status).toBe(401);
    world.clock.set("2026-11-20T09:30:00Z");
  });

  it("is rejected in the same way for an unknown e-mail and a wrong password", async () => {
    await registerAt("somebody");
    const replies = await Promise.all(
      ["somebody@example.com", "nobody@example.com"].map((email) =>
        call(world, "POST", "/auth/login", { body: { email, password: "wrong wrong wrong" } }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([401, 401]);
    expect(replies[0]?.body.message).toBe(replies[1]?.body.message);
  });
});

describe("The usage log", () => {
  it("has a record of every authenticated request before it is answered", async () => {
    const token = await registerAt("logged");
    const before = await world.ctx.db.$count(usageLogs);
    await Promise.all(Array.from({ length: 15 }, () => call(world, "GET", "/subscriptions/my-routes", { token })));
    expect(await world.ctx.db.$count(usageLogs)).toBe(before + 15);
  });
});
