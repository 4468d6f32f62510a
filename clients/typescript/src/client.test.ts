/** The client against scripted answers. */
import { expect, it } from "vitest";
import { ApiError, ConnectionError, createShippingRouteClient, type Environment } from "./index.ts";

type Sent = { method: string; path: string; headers: Headers; body: string };
type Answer = Response | Error;

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
const problem = (status: number, headers: Record<string, string> = {}) =>
  json({ success: false, message: "Said by the API", request_id: "r-1" }, status, headers);
const token = (access_token: string, expires_at: string) => json({ access_token, token_type: "Bearer", expires_at });

/** @param answers in order; a function answers every request */
const scripted = (
  answers: Answer[] | ((sent: Sent) => Answer),
  options: Partial<Parameters<typeof createShippingRouteClient>[0]> = {},
) => {
  const sent: Sent[] = [];
  const pauses: number[] = [];
  let time = new Date("2026-11-20T09:30:00Z");
  const environment: Environment = {
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const one = {
        method: request.method,
        path: pathname + search,
        headers: request.headers,
        body: await request.text(),
      };
      sent.push(one);
      const answer = typeof answers === "function" ? answers(one) : answers.shift();
      if (answer === undefined) throw new Error("No further request was expected");
      if (answer instanceof Error) throw answer;
      return answer;
    },
    sleep: async (milliseconds) => {
      pauses.push(milliseconds);
    },
    random: () => 0.5,
    now: () => time,
    newIdempotencyKey: () => "key-1",
  };
  const client = createShippingRouteClient({
    baseUrl: "https://data.example/api",
    apiKey: { key: "srd_live_x", username: "ops" },
    ...options,
    environment,
  });
  return { client, sent, pauses, setTime: (iso: string) => (time = new Date(iso)) };
};

it("sends the key with its username, and returns the answer", async () => {
  const { client, sent } = scripted([json({ id: 109 })]);
  const data = await client.get("/api-routes-data", { params: { query: { id: 109, from: "2026-11-01" } } });
  expect(data.id).toBe(109);
  expect(sent[0]?.path).toBe("/api/api-routes-data?id=109&from=2026-11-01");
  expect(sent[0]?.headers.get("x-api-key")).toBe("srd_live_x");
  expect(sent[0]?.headers.get("x-username")).toBe("ops");
});

it("throws the API's error with its fields", async () => {
  const errors = [{ path: "id", message: "Must be at least 1" }];
  const { client } = scripted([json({ success: false, message: "Not valid", errors, request_id: "r-2" }, 422)]);
  const failed = client.get("/api-routes-data", { params: { query: { id: 0 } } });
  await expect(failed).rejects.toThrow(ApiError);
  await expect(failed).rejects.toMatchObject({ status: 422, message: "Not valid", errors, requestId: "r-2" });
});

it("throws an error for an answer that a proxy made up", async () => {
  const { client } = scripted([new Response("<h1>Bad gateway</h1>", { status: 502 })]);
  await expect(client.get("/catalogue/regions")).rejects.toMatchObject({
    status: 502,
    message: "The API answered 502",
  });
});

it("waits as long as Retry-After says on 429, whatever the method", async () => {
  const { client, pauses } = scripted([problem(429, { "Retry-After": "7" }), json({ routes: [] })]);
  await client.post("/route-access/check-access", { body: { route_id: 1 } });
  expect(pauses).toEqual([7250]);
});

it("throws when the wait would be longer than allowed", async () => {
  const { client, pauses } = scripted([problem(429, { "Retry-After": "1800" })]);
  await expect(client.get("/catalogue/regions")).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1800 });
  expect(pauses).toEqual([]);
});

it("backs off exponentially from lost connections, then gives up", async () => {
  const { client, pauses } = scripted(() => new TypeError("fetch failed"), { retries: 3 });
  await expect(client.get("/catalogue/regions")).rejects.toThrow(ConnectionError);
  expect(pauses).toEqual([250, 500, 1000]);
});

it("repeats a POST after 503 with the same Idempotency-Key, where the endpoint honours it", async () => {
  const { client, sent } = scripted([problem(503, { "Retry-After": "1" }), json({ subscriptions: [] })]);
  await client.post("/subscriptions/payment-success", { body: { payment_intent_id: "pi_1" } });
  expect(sent.map(({ headers, body }) => [headers.get("idempotency-key"), body])).toEqual([
    ["key-1", '{"payment_intent_id":"pi_1"}'],
    ["key-1", '{"payment_intent_id":"pi_1"}'],
  ]);
});

it("sends the caller's own Idempotency-Key", async () => {
  const { client, sent } = scripted([json({ subscriptions: [] })]);
  await client.post("/subscriptions/payment-success", {
    params: { header: { "Idempotency-Key": "mine" } },
    body: { payment_intent_id: "pi_1" },
  });
  expect(sent[0]?.headers.get("idempotency-key")).toBe("mine");
});

it.each([
  ["a 503", () => problem(503)],
  ["a lost connection", () => new TypeError("fetch failed")],
])("does not repeat any other POST after %s", async (_, answer) => {
  const { client, sent } = scripted(answer);
  await expect(
    client.post("/subscriptions/{subscription_id}/cancel", { params: { path: { subscription_id: 1 } } }),
  ).rejects.toThrow();
  expect(sent).toHaveLength(1);
});

it("does not repeat what the caller has aborted", async () => {
  const stopped = new AbortController();
  const { client, sent } = scripted(() => {
    stopped.abort();
    return new TypeError("fetch failed");
  });
  await expect(client.get("/catalogue/regions", { signal: stopped.signal })).rejects.toThrow("fetch failed");
  expect(sent).toHaveLength(1);
});

it("gives each attempt a time-out", async () => {
  const attempts: AbortSignal[] = [];
  const client = createShippingRouteClient({
    baseUrl: "https://data.example/api",
    timeoutMs: 1,
    retries: 1,
    environment: {
      sleep: async () => {},
      fetch: ({ signal }) =>
        new Promise((_, reject) => {
          attempts.push(signal);
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    },
  });
  await expect(client.get("/catalogue/regions")).rejects.toThrow(ConnectionError);
  expect(attempts).toHaveLength(2);
});

const login = { email: "ops@example.com", password: "correct horse battery" };
const inADay = "2026-11-21T09:30:00.000Z";

it("logs in once for concurrent requests", async () => {
  const { client, sent } = scripted(
    ({ path }) => (path === "/api/auth/login" ? token("t-1", inADay) : json({ subscriptions: [], next_cursor: null })),
    { login },
  );
  await Promise.all([client.get("/subscriptions/my-routes"), client.get("/subscriptions/my-routes")]);
  expect(sent.map(({ path }) => path).sort()).toEqual([
    "/api/auth/login",
    "/api/subscriptions/my-routes",
    "/api/subscriptions/my-routes",
  ]);
  expect(sent.at(-1)?.headers.get("authorization")).toBe("Bearer t-1");
});

it("exchanges the token in the last hour of its life", async () => {
  const { client, sent, setTime } = scripted(
    ({ path }) =>
      path === "/api/auth/login"
        ? token("t-1", inADay)
        : path === "/api/auth/refresh"
          ? token("t-2", "2026-11-22T08:45:00.000Z")
          : json({}),
    { login },
  );
  await client.get("/subscriptions/my-stats");
  setTime("2026-11-21T08:45:00Z");
  await client.get("/subscriptions/my-stats");
  expect(sent.map(({ path, headers }) => [path, headers.get("authorization")])).toEqual([
    ["/api/auth/login", null],
    ["/api/subscriptions/my-stats", "Bearer t-1"],
    ["/api/auth/refresh", "Bearer t-1"],
    ["/api/subscriptions/my-stats", "Bearer t-2"],
  ]);
});

it("logs in again when a token has been revoked, and only once", async () => {
  let logins = 0;
  const { client, sent } = scripted(
    ({ path }) => {
      if (path === "/api/auth/login") return token(`t-${++logins}`, inADay);
      return problem(401);
    },
    { login },
  );
  await expect(client.get("/subscriptions/my-stats")).rejects.toMatchObject({ status: 401 });
  expect(sent.map(({ path }) => path.slice("/api".length))).toEqual([
    "/auth/login",
    "/subscriptions/my-stats",
    "/auth/login",
    "/subscriptions/my-stats",
  ]);
});

it("reads all pages, with the same filters", async () => {
  const { client, sent } = scripted([
    json({ routes: [{ id: 1 }, { id: 2 }], next_cursor: "c2" }),
    json({ routes: [{ id: 3 }], next_cursor: null }),
  ]);
  const ids: number[] = [];
  for await (const { id } of client.items("/route-access/all-routes", "routes", { origin: "CNSHA", limit: 2 }))
    ids.push(id);
  expect(ids).toEqual([1, 2, 3]);
  expect(sent.map(({ path }) => path)).toEqual([
    "/api/route-access/all-routes?origin=CNSHA&limit=2",
    "/api/route-access/all-routes?origin=CNSHA&limit=2&cursor=c2",
  ]);
});

it("reads changes until there are no more, and leaves the cursor for the next time", async () => {
  const { client, sent } = scripted([
    json({ changes: [{ id: 1 }], next_cursor: "c1", has_more: true }),
    json({ changes: [{ id: 2 }], next_cursor: "c2", has_more: false }),
  ]);
  let cursor = "2026-11-20";
  for await (const page of client.pages("/route-access/changes", { since: cursor })) cursor = page.next_cursor;
  expect(cursor).toBe("c2");
  expect(sent.map(({ path }) => path)).toEqual([
    "/api/route-access/changes?since=2026-11-20",
    "/api/route-access/changes?since=c1",
  ]);
});

it("reads no page before it is asked for", async () => {
  const { client, sent } = scripted([json({ routes: [{ id: 1 }], next_cursor: "c2" })]);
  for await (const { id } of client.items("/route-access/all-routes", "routes")) {
    expect(id).toBe(1);
    break;
  }
  expect(sent).toHaveLength(1);
});

it("returns CSV as text", async () => {
  const { client } = scripted([new Response("id,name\n", { headers: { "Content-Type": "text/csv; charset=utf-8" } })]);
  expect(await client.get("/api-keys/export")).toBe("id,name\n");
});

it("has types that know what is required and what is answered", () => {
  const { client } = scripted([]);
  const body = { period_id: 1, subscription_term: "1_year" } as const;
  const mistakes = async () => {
    // @ts-expect-error the id is required
    await client.get("/api-routes-data");
    // @ts-expect-error no such path
    await client.get("/api-routes-dat");
    // @ts-expect-error the term is one of a closed set
    await client.post("/subscriptions/calculate-single-route-price", { body });
    // @ts-expect-error the answer has no such field
    (await client.get("/subscriptions/my-routes")).routes;
    // @ts-expect-error not a list of the answer
    client.items("/route-access/all-routes", "subscriptions");
    // @ts-expect-error not a list
    client.items("/subscriptions/my-stats", "routes");
  };
  expect(mistakes).toBeTypeOf("function");
});
