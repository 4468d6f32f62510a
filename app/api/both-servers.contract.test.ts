/**
 * Our own server and remix-serve give the same answers to the same requests, over real HTTP.
 */
import { isDeepStrictEqual } from "node:util";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { anyAddress, unhurried } from "../testing/live-api.ts";
import { contracts } from "./contracts/all.ts";

const { server, remixServe, databaseUrl } = inject("services");
const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });

type Sent = { method: string; path: string; headers?: Record<string, string>; body?: string };
type Answer = { status: number; headers: Headers; text: string };

const send = async (base: string, { method, path, headers = {}, body }: Sent): Promise<Answer> => {
  const response = await unhurried(() =>
    fetch(`${base}/api${path}`, {
      method,
      headers: {
        "X-Forwarded-For": anyAddress(),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    }),
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** The parts that must be equal. Request IDs and counts differ by nature. */
const comparable = ({ status, headers, text }: Answer, base: string) => ({
  status,
  type: headers.get("content-type"),
  cache: headers.get("cache-control"),
  allow: headers.get("allow"),
  ignored: headers.get("x-ignored-parameters"),
  preference: headers.get("preference-applied"),
  hasEtag: headers.has("etag"),
  retryAfter: headers.has("retry-after"),
  limit: headers.get("x-ratelimit-limit"),
  hasRemaining: /^\d+$/.test(headers.get("x-ratelimit-remaining") ?? ""),
  hasReset: /^\d+$/.test(headers.get("x-ratelimit-reset") ?? ""),
  requestId: /^[0-9a-f-]{36}$/.test(headers.get("x-request-id") ?? ""),
  body: text.replace(/"request_id":"[0-9a-f-]{36}"/, '"request_id":"…"').replaceAll(base, ""),
});

let token = "";
let key: Record<string, string> = {};
let routeId = 0;

beforeAll(async () => {
  const json = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
    JSON.parse((await send(server, { method: "POST", path, headers, body: JSON.stringify(body) })).text);
  const login = { email: "demo@example.com", password: "demo-harbour-2026" };
  token = (await json("/auth/login", login)).access_token;
  const bearer = { Authorization: `Bearer ${token}` };
  const made = await json("/api-keys/generate", { api_key_name: "contract suite", user: "demo" }, bearer);
  key = { "X-API-Key": made.api_key, "X-Username": "demo" };
  const mine = await send(server, { method: "GET", path: "/subscriptions/my-routes", headers: bearer });
  routeId = JSON.parse(mine.text).subscriptions.find(({ status }: { status: string }) => status === "active").route_id;
  // The suite exceeds the free plan's rate limit.
  await sql`update accounts set plan = 'enterprise' where username = 'demo'`;
});
afterAll(() => sql.end());

/** Retries if a scheduled job changed the data between the two requests: then our own answer has changed too. */
const both = async (sent: Sent): Promise<Answer> => {
  const [ours, remix] = await Promise.all([send(server, sent), send(remixServe, sent)]);
  const [expected, actual] = [comparable(ours, server), comparable(remix, remixServe)];
  if (!isDeepStrictEqual(actual, expected)) {
    const later = comparable(await send(server, sent), server);
    if (!isDeepStrictEqual(later, expected)) return both(sent);
  }
  expect(actual).toEqual(expected);
  return ours;
};
const asMember = (): Record<string, string> => ({ Authorization: `Bearer ${token}` });

describe("Both servers", () => {
  it.each(contracts.map((contract) => [`${contract.method} ${contract.path}`, contract] as const))(
    "refuse %s alike: wrong method, no credentials, bad input",
    async (_, contract) => {
      const path = contract.path.replace(/\{\w+\}/g, "2147483647");
      const credentials = contract.access === "key" ? key : asMember();
      expect((await both({ method: "PATCH", path, headers: credentials, body: "{}" })).status).toBe(405);
      if (contract.access === "bearer" || contract.access === "key") {
        const other = contract.access === "key" ? asMember() : key;
        expect((await both({ method: contract.method, path, headers: other })).status).toBe(401);
      }
      if (!contract.body) return;
      expect((await both({ method: contract.method, path, headers: credentials, body: "{" })).status).toBe(400);
      expect((await both({ method: contract.method, path, headers: credentials, body: '{"unknown":1}' })).status).toBe(
        422,
      );
      const large = JSON.stringify("x".repeat(70_000));
      expect((await both({ method: contract.method, path, headers: credentials, body: large })).status).toBe(413);
    },
  );

  it("answer data, lists and conditional requests alike", async () => {
    const data = await both({ method: "GET", path: `/api-routes-data?id=${routeId}&limit=3`, headers: key });
    expect(data.status).toBe(200);
    const etag = data.headers.get("etag") ?? "";
    const again = await both({
      method: "GET",
      path: `/api-routes-data?id=${routeId}&limit=3`,
      headers: { ...key, "If-None-Match": etag },
    });
    expect([again.status, again.text]).toEqual([304, ""]);
    expect(
      (await both({ method: "GET", path: "/route-access/all-routes?limit=5&origin=CNSGH", headers: asMember() }))
        .status,
    ).toBe(200);
    expect((await both({ method: "GET", path: "/subscriptions/my-routes", headers: asMember() })).status).toBe(200);
    expect((await both({ method: "GET", path: "/openapi.json", headers: asMember() })).status).toBe(200);
  });

  it("name unknown parameters, or reject them on request", async () => {
    const path = "/route-access/all-routes?limit=1&orgin=CNSHA&a%0D%0Ab=1";
    const named = await both({ method: "GET", path, headers: asMember() });
    expect([named.status, named.headers.get("x-ignored-parameters")]).toEqual([200, "orgin, a%0D%0Ab"]);
    const strict = await both({ method: "GET", path, headers: { ...asMember(), Prefer: "handling=strict" } });
    expect([strict.status, strict.headers.get("preference-applied")]).toEqual([422, "handling=strict"]);
  });

  it("support HEAD", async () => {
    const head = await both({ method: "HEAD", path: `/api-routes-data?id=${routeId}`, headers: key });
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  it.each(["", "/", "/nothing", "/api-keys/1/2/3", "/api-keys/%00", "/..%2f..%2fetc"])(
    "answer the unknown path /api%s with JSON and limits",
    async (path) => {
      const answer = await both({ method: "GET", path, headers: asMember() });
      expect([400, 404, 422]).toContain(answer.status);
      expect(JSON.parse(answer.text)).toMatchObject({ success: false });
    },
  );

  it("never accept the portal's cookie as a credential", async () => {
    const headers = { Cookie: `srds_session=${Buffer.from(JSON.stringify(token)).toString("base64")}` };
    expect((await both({ method: "GET", path: "/api-keys", headers })).status).toBe(401);
  });
});
