/** The endpoints about an account's subscriptions and API usage. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { issueKey } from "../domain/api-keys/issue.server.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { checkout } from "../domain/subscriptions/checkout.server.ts";
import { confirmPayment } from "../domain/subscriptions/settle.server.ts";
import { call } from "../testing/api-client.ts";
import { createWorld, payWith, type World } from "../testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

let opened: Awaited<ReturnType<World["account"]>>;
beforeEach(async () => {
  world.clock.set("2026-11-20T09:30:00Z");
  world.ctx.rateLimiter = memoryRateLimiter();
  opened = await world.account();
});

const get = (path: string, token = opened.token) => call(world, "GET", path, { token });

const subscribe = async (code: string, term: "1_month" | "2_months" | "3_months") => {
  const period = world.routes.find((route) => route.code === code)?.periods[0];
  if (!period) throw new Error(`${code} has no period on sale`);
  const order = await checkout(world.ctx, opened.caller, {
    items: [{ periodId: period.id, term }],
    autoRenew: true,
  });
  await payWith(world, order.intent);
  await confirmPayment(world.ctx, opened.caller, { paymentIntentId: order.intent.id });
  return order;
};

describe("GET /api-usage-logs", () => {
  it("lists earlier requests by token and by key, whatever their status", async () => {
    const [route] = world.routes;
    const key = await issueKey(world.ctx, opened.caller, { api_key_name: "Rate sync", user: "me" });
    await get("/api-keys/2147483647");
    const refused = await call(world, "GET", `/api-routes-data?id=${route?.id}`, {
      key: { secret: key.secret, user: "me" },
    });
    const { status, body } = await get("/api-usage-logs");
    expect(status).toBe(200);
    expect(body).toEqual({
      usage_logs: [
        {
          id: expect.any(Number),
          occurred_at: "2026-11-20T09:30:00.000Z",
          method: "GET",
          endpoint: "/api-routes-data",
          status: 403,
          duration_ms: 0,
          response_bytes: refused.text.length,
          request_cost: 1,
          api_key_id: key.id,
          api_key_name: "Rate sync",
          route_id: route?.id,
          request_id: refused.headers["X-Request-Id"],
        },
        expect.objectContaining({ endpoint: "/api-keys/{api_key_id}", status: 404, api_key_id: null, route_id: null }),
      ],
      next_cursor: null,
    });
    expect((await get("/api-usage-logs?status=404")).body.usage_logs).toHaveLength(1);
    const template = encodeURIComponent("/api-keys/{api_key_id}");
    expect((await get(`/api-usage-logs?endpoint=${template}`)).body.usage_logs).toHaveLength(1);
    expect((await get(`/api-usage-logs?api_key_id=${key.id}`)).body.usage_logs).toHaveLength(1);
    const stranger = await world.account();
    expect((await get(`/api-usage-logs?api_key_id=${key.id}`, stranger.token)).body.usage_logs).toEqual([]);
  });

  it("pages by limit and cursor", async () => {
    for (const _ of [1, 2, 3]) await get("/api-keys");
    const first = await get("/api-usage-logs?limit=2&endpoint=/api-keys");
    const second = await get(`/api-usage-logs?limit=2&endpoint=/api-keys&cursor=${first.body.next_cursor}`);
    expect([first.body.usage_logs.length, second.body.usage_logs.length]).toEqual([2, 1]);
    expect(second.body.next_cursor).toBeNull();
  });

  it.each([
    "from=yesterday",
    "from=2026-02-30",
    "from=0000-01-01",
    "to=9999-12-31T23:59:59-01:00",
    "from=2026-11-20&to=2026-11-19",
    "from=2026-11-20&from=2026-11-19",
    "status=99",
    "status=600",
    "status=ok",
    "endpoint=api-keys",
    "endpoint=/%00",
    "api_key_id=0",
    "route_id=2147483648",
    "limit=0",
    "limit=101",
    "cursor=abc",
    `cursor=${Buffer.from("[1e300,1]").toString("base64url")}`,
    `cursor=${Buffer.from('["2026-11-20",1]').toString("base64url")}`,
    `cursor=${Buffer.from("[-1,1]").toString("base64url")}`,
  ])("rejects %s", async (query) => {
    const { status, body } = await get(`/api-usage-logs?${query}`);
    expect([status, body.errors?.length]).toEqual([422, 1]);
  });

  it("accepts every cursor that it can produce", async () => {
    const cursor = Buffer.from("[253402300799999,9007199254740991]").toString("base64url");
    expect((await get(`/api-usage-logs?cursor=${cursor}`)).status).toBe(200);
  });
});

describe("GET /subscriptions/api-call-usage", () => {
  it("counts by days by default, and reports the same quota as the headers", async () => {
    for (const _ of [1, 2]) await get("/api-keys");
    await get("/api-keys/2147483647");
    const { body, headers } = await get("/subscriptions/api-call-usage");
    expect(body).toMatchObject({
      period: "days",
      from: "2026-10-22T00:00:00.000Z",
      to: "2026-11-21T00:00:00.000Z",
      api_key_id: null,
      totals: { requests: 3, errors: 1, rate_limited: 0 },
      quota: { limit: 1000, remaining: 996, resets_at: "2026-11-20T10:00:00.000Z" },
    });
    expect(body.series).toHaveLength(30);
    expect(body.series.at(-1)).toEqual({
      starts_at: "2026-11-20T00:00:00.000Z",
      requests: 3,
      errors: 1,
      rate_limited: 0,
    });
    expect(body.series[0]).toEqual({ starts_at: "2026-10-22T00:00:00.000Z", requests: 0, errors: 0, rate_limited: 0 });
    expect(headers["X-RateLimit-Remaining"]).toBe(String(body.quota.remaining));
  });

  it.each(["hours", "days", "months"])("accepts %s", async (period) => {
    expect((await get(`/subscriptions/api-call-usage?period=${period}`)).body.period).toBe(period);
  });

  it.each([
    ["period=weeks", "Must be hours, days or months"],
    ["period=", "Must be hours, days or months"],
    ["period=hours&from=2026-10-01", "A series of hours can span at most 31 days"],
    ["period=days&from=2025-01-01", "A series of days can span at most 400 days"],
    ["period=months&from=1970-01-01", "A series of months can span at most 60 months"],
    ["from=2026-12-01", "Must be before the end of the range"],
    ["api_key_id=x", "Must be a whole number"],
  ])("rejects %s", async (query, message) => {
    const { status, body } = await get(`/subscriptions/api-call-usage?${query}`);
    expect(status).toBe(422);
    expect(body.errors[0].message).toBe(message);
  });
});

describe("GET /subscriptions/my-stats", () => {
  it("sums up subscriptions, spend and usage", async () => {
    const first = await subscribe("C-CNSHA-NLRTM-PEL9", "1_month");
    world.clock.set("2026-12-21T09:30:00Z");
    const second = await subscribe("C-CNNGB-GBFXT-MRG9", "3_months");
    const body = { email: opened.account.email, password: "correct horse battery" };
    const token = (await call(world, "POST", "/auth/login", { body })).body.access_token;
    await get("/api-keys/2147483647", token);
    const stats = await get("/subscriptions/my-stats", token);
    expect(stats.status).toBe(200);
    expect(stats.body).toEqual({
      subscriptions: { active: 1, expiring_soon: 0, expired: 1, cancelled: 0 },
      spend: {
        total_cents: first.amountCents + second.amountCents,
        last_30_days_cents: second.amountCents,
        currency: "USD",
      },
      requests: { today: 1, last_30_days: 1 },
      error_rate: 1,
      duration_ms: { p50: 0, p95: 0 },
      top_routes: [],
      top_keys: [],
      quota: { limit: 1000, remaining: 998, resets_at: "2026-12-21T10:00:00.000Z" },
    });
  });
});

describe("GET /subscriptions/upcoming-expirations", () => {
  it("lists subscriptions that end within the given days, soonest first", async () => {
    await subscribe("C-CNNGB-GBFXT-MRG9", "2_months");
    await subscribe("C-CNSHA-NLRTM-PEL9", "1_month");
    const daysLeft = async (query: string) => {
      const { body } = await get(`/subscriptions/upcoming-expirations${query}`);
      expect(body.next_cursor).toBeNull();
      return body.subscriptions.map((one: { days_left: number }) => one.days_left);
    };
    expect(await daysLeft("")).toEqual([30]);
    expect(await daysLeft("?days=29")).toEqual([]);
    expect(await daysLeft("?days=90")).toEqual([30, 61]);
    world.clock.set("2026-11-21T00:00:00Z");
    expect(await daysLeft("?days=90")).toEqual([29, 60]);
    const { body } = await get("/subscriptions/upcoming-expirations");
    expect(body.subscriptions).toMatchObject([
      { route_name: "Shanghai – Rotterdam", end_date: "2026-12-20", status: "active", auto_renew: true },
    ]);
  });

  it.each(["days=0", "days=91", "days=soon"])("rejects %s", async (query) => {
    expect((await get(`/subscriptions/upcoming-expirations?${query}`)).status).toBe(422);
  });
});

describe.each([
  ["my-routes", ""],
  ["upcoming-expirations", "days=90&"],
])("GET /subscriptions/%s", (list, filter) => {
  const names = async (query: string) => {
    const { status, body } = await get(`/subscriptions/${list}?${filter}${query}`);
    expect(status).toBe(200);
    return { rows: body.subscriptions.map(({ id }: { id: number }) => id), next: body.next_cursor };
  };

  it("is complete without a limit, and the same page by page with one", async () => {
    // Two of them end on the same day.
    await subscribe("C-CNNGB-GBFXT-MRG9", "2_months");
    await subscribe("C-CNSHA-NLRTM-PEL9", "1_month");
    await subscribe("B-AUPHE-CNTAO-GRN9", "1_month");
    const whole = await names("");
    expect(whole).toEqual({ rows: expect.any(Array), next: null });
    expect(whole.rows).toHaveLength(3);
    const first = await names("limit=1");
    const second = await names(`limit=1&cursor=${first.next}`);
    const third = await names(`limit=1&cursor=${second.next}`);
    expect([first, second, third].flatMap(({ rows }) => rows)).toEqual(whole.rows);
    expect(third.next).toBeNull();
    expect((await names(`cursor=${first.next}`)).rows).toEqual(whole.rows.slice(1));
  });

  it.each(["limit=0", "limit=101", "cursor=nonsense"])("rejects %s", async (query) => {
    expect((await get(`/subscriptions/${list}?${query}`)).status).toBe(422);
  });
});
