/** Rules that hold for every endpoint, checked on every endpoint. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSession } from "../domain/accounts/session.server.ts";
import { issueKey } from "../domain/api-keys/issue.server.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { apiRoutes, type CallOptions, call } from "../testing/api-client.ts";
import { createWorld, type World } from "../testing/world.ts";
import { contracts } from "./contracts/all.ts";
import type { Contract } from "./endpoint.ts";
import { mcp } from "./mcp/contract.ts";

let world: World;
let opened: Awaited<ReturnType<World["account"]>>;
let token: string;
let key: { secret: string; user: string };

beforeAll(async () => {
  world = await createWorld();
  opened = await world.account("enterprise");
  const issued = await issueKey(world.ctx, opened.caller, { api_key_name: "tests", user: "enterprise" });
  key = { secret: issued.secret, user: issued.user };
});
afterAll(() => world.close());
// Each test gets a fresh rate limit and a fresh token.
beforeEach(async () => {
  world.ctx.rateLimiter = memoryRateLimiter();
  const origin = { ipAddress: null, userAgent: null };
  token = (await openSession(world.ctx, opened.account, "bearer", origin)).token;
});

const pathOf = ({ path }: Contract) => path.replace(/\{\w+\}/g, "1");
const rightCredentials = ({ access }: Contract): CallOptions =>
  access === "key" ? { key } : access === "public" ? {} : { token };
const send = (contract: Contract, options: CallOptions = {}, method: string = contract.method) =>
  call(world, method, pathOf(contract), {
    ...(contract.body && method !== "GET" ? { body: {} } : {}),
    ...options,
  });

const problem = (message: string) => ({ success: false, message, request_id: expect.any(String) });
const unauthenticated = problem("Invalid or missing authentication");
const names = contracts.map((contract) => [`${contract.method} ${contract.path}`, contract] as const);

it("The URLs of routes.ts are the paths of the contracts", () => {
  const urls = apiRoutes.map(({ path }) => path.replace(/:(\w+)/g, "{$1}")).filter((path) => !path.includes("*"));
  expect([...new Set([...contracts, mcp].map(({ path }) => `/api${path}`))].sort()).toEqual(urls.sort());
});

it("Each file below routes/api serves the path that it is named after", async () => {
  for (const { path, load } of apiRoutes) {
    const served = (await load?.())?.action.path;
    expect(served).toBe(path.endsWith("*") ? null : path.slice("/api".length).replace(/:(\w+)/g, "{$1}"));
  }
});

describe.each(names)("%s", (_, contract) => {
  it("always sends the rate-limit headers and a request ID", async () => {
    for (const options of [{}, rightCredentials(contract)]) {
      const { headers, body, status } = await send(contract, options);
      expect(headers).toMatchObject({
        "X-RateLimit-Limit": expect.stringMatching(/^\d+$/),
        "X-RateLimit-Remaining": expect.stringMatching(/^\d+$/),
        "X-RateLimit-Reset": String(Date.parse("2026-11-20T10:00:00Z") / 1000),
        "X-Request-Id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      if (status >= 400) expect(body).toMatchObject({ success: false, request_id: headers["X-Request-Id"] });
      expect(status).toBeLessThan(500);
    }
  });

  it.runIf(contract.access !== "public")("rejects wrong and missing credentials", async () => {
    const wrong: CallOptions[] = [
      {},
      { token: "a".repeat(40) },
      { headers: { Authorization: `Basic ${token}` } },
      { headers: { Authorization: token } },
      { key: { secret: key.secret, user: "somebody-else" } },
      { key: { secret: `${key.secret.slice(0, -1)}~`, user: key.user } },
      ...(contract.access === "bearer_or_key" ? [] : [contract.access === "key" ? { token } : { key }]),
    ];
    for (const options of wrong) {
      const reply = await send(contract, options);
      expect([reply.status, reply.body]).toEqual([401, unauthenticated]);
    }
  });

  it("rejects other methods with 405 and Allow", async () => {
    const allowed = contracts.filter(({ path }) => path === contract.path).map(({ method }) => method as string);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      if (allowed.includes(method)) continue;
      const reply = await send(contract, rightCredentials(contract), method);
      expect(reply.status).toBe(405);
      expect(
        reply.headers.Allow?.split(", ")
          .filter((name) => name !== "HEAD")
          .sort(),
      ).toEqual(allowed.toSorted());
    }
  });

  it("counts every request, and rejects those over the hourly limit with 429 and Retry-After", async () => {
    const reached = { hour: 60 };
    for (let count = 1; count <= reached.hour; count++) {
      world.clock.set(`2026-11-20T09:30:${String(Math.floor(count / 20)).padStart(2, "0")}Z`);
      const { headers } = await send(contract, { ipAddress: "203.0.113.9" });
      expect(headers["X-RateLimit-Remaining"]).toBe(String(60 - count));
    }
    const reply = await send(contract, { ipAddress: "203.0.113.9" });
    world.clock.set("2026-11-20T09:30:00Z");
    expect(reply.status).toBe(429);
    expect(reply.body).toEqual(problem("Too many requests - Rate limit exceeded"));
    expect(reply.headers["Retry-After"]).toBe(String(30 * 60 - 3));
  });

  it.runIf(contract.body)(
    "rejects bodies that are not JSON, not an object, too large or with unknown fields",
    async () => {
      const base = rightCredentials(contract);
      const status = async (options: CallOptions) => (await send(contract, { ...base, ...options })).status;
      expect(await status({ body: "{" })).toBe(400);
      expect(await status({ body: '"\\u0000"' })).toBe(422);
      expect(await status({ body: "[]" })).toBe(422);
      expect(await status({ body: { no_such_field: 1 } })).toBe(422);
      expect(await status({ body: `${"[".repeat(5000)}${"]".repeat(5000)}` })).toBe(422);
      expect(await status({ body: `{"a":"${"x".repeat(65_536)}"}` })).toBe(413);
      expect(await status({ body: {}, headers: { "Content-Type": "text/plain" } })).toBe(415);
    },
  );

  it.runIf(contract.params)("rejects malformed path parameters, and those of nothing that exists", async () => {
    for (const text of ["0", "-1", "abc", "1.5", "99999999999", "1%00", "1'--"]) {
      const path = contract.path.replace(/\{\w+\}/g, text);
      const reply = await call(world, contract.method, path, {
        ...rightCredentials(contract),
        body: contract.example?.body ?? { status: "active" },
      });
      expect([text, reply.status]).toEqual([text, 422]);
    }
    const unknown = contract.path.replace("{month}", "2999-12").replace(/\{\w+\}/g, "2147483647");
    const reply = await call(world, contract.method, unknown, {
      ...rightCredentials(contract),
      body: contract.example?.body ?? { status: "active" },
    });
    expect(reply.status).toBe(404);
  });
});

describe("A path below /api that does not exist", () => {
  it.each(["GET", "POST", "DELETE"])("responds to %s with a JSON 404 and counts it", async (method) => {
    const reply = await call(world, method, "/no/such/thing");
    expect(reply.status).toBe(404);
    expect(reply.body).toEqual(problem("Path not found"));
    expect(reply.headers["X-RateLimit-Remaining"]).toBe("59");
  });
});

describe("Plain HTTP in production", () => {
  it("is rejected if a trusted proxy reports it", async () => {
    world.ctx.settings.requireHttps = true;
    world.ctx.settings.trustedProxies = 1;
    const reply = await call(world, "GET", "/api-keys", { token, headers: { "X-Forwarded-Proto": "http" } });
    const secure = await call(world, "GET", "/api-keys", { token, headers: { "X-Forwarded-Proto": "https" } });
    world.ctx.settings.trustedProxies = 0;
    const unproven = await call(world, "GET", "/api-keys", { token, headers: { "X-Forwarded-Proto": "http" } });
    world.ctx.settings.requireHttps = false;
    expect([reply.status, secure.status, unproven.status]).toEqual([403, 200, 200]);
    expect(reply.body).toEqual(problem("Insufficient permissions"));
  });
});

describe("Requests without credentials", () => {
  const remainingFor = async (ipAddress: string) =>
    Number((await call(world, "GET", "/api-keys", { ipAddress })).headers["X-RateLimit-Remaining"]);

  it("share one rate limit per IPv6 /64", async () => {
    const first = await remainingFor("2001:db8:64:1::1");
    expect(await remainingFor("2001:db8:64:1:ffff:ffff:ffff:ffff")).toBe(first - 1);
    expect(await remainingFor("2001:db8:64:2::1")).toBe(first);
  });
});

describe("The burst", () => {
  it("is 20 a second on the free plan, with Retry-After: 1", async () => {
    const replies = await Promise.all(Array.from({ length: 25 }, () => call(world, "GET", "/api-keys", { token })));
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.headers["Retry-After"]).toBe("1");
    world.clock.set("2026-11-20T09:30:01Z");
    expect((await call(world, "GET", "/api-keys", { token })).status).toBe(200);
    world.clock.set("2026-11-20T09:30:00Z");
  });
});
